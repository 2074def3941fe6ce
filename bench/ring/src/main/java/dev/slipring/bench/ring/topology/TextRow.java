// SPDX-License-Identifier: Apache-2.0
package dev.slipring.bench.ring.topology;

import java.util.List;

/**
 * A row of the {@linkplain TextTable table in QuestDB's text}. The ring has as many slots as the
 * greatest power of two that is not above the number of messages, as in the benchmark behind the
 * table. So it is full at most once, and a large one does not fit into any cache.
 */
sealed interface TextRow extends Topology permits TextFanOut, TextWorker {

    /** The name of the graph in its rows. */
    String graph();

    /** How many messages, in thousands. */
    int thousands();

    /** How many workers. */
    int threads();

    @Override
    default String name() {
        return String.join(
                "-",
                TextTable.NAME,
                graph(),
                String.valueOf(thousands()),
                String.valueOf(threads()),
                String.valueOf(terms()));
    }

    @Override
    default String workload() {
        return TextTable.NAME;
    }

    @Override
    default String setting(int capacity) {
        return graph()
                + ", "
                + thousands()
                + " thousand, "
                + threads()
                + (threads() == 1 ? " worker, " : " workers, ")
                + terms()
                + (terms() == 1 ? " term" : " terms");
    }

    @Override
    default List<Integer> capacities() {
        return List.of(Integer.highestOneBit((int) messages()));
    }

    @Override
    default long messages() {
        return thousands() * 1_000L;
    }
}
