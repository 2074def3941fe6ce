// SPDX-License-Identifier: Apache-2.0
package dev.slipring.ledger;

import dev.slipring.graph.Shape;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/**
 * The rows of a stage in a state with their messages, by lane and position, a few at a time: all
 * together may be larger than the memory.
 */
final class AsidePages {

    private static final int MOST = 1_000;

    private final RingRows rows;
    private final Shape shape;
    private AsideCursor at;

    /** Those from a cursor on. */
    AsidePages(RingRows rows, Shape shape, AsideCursor from) {
        this.rows = rows;
        this.shape = shape;
        this.at = from;
    }

    /** All of them. */
    static AsidePages all(RingRows rows, Shape shape, String stage, AsideRow.State state) {
        return new AsidePages(rows, shape, AsideCursor.first(stage, state));
    }

    /** Where the next ones follow. */
    AsideCursor at() {
        return at;
    }

    /** Shows each that is left. */
    void forEach(Consumer<AsideRow> visitor) {
        for (List<AsideRow> page = next(MOST); !page.isEmpty(); page = next(MOST)) {
            page.forEach(visitor);
        }
    }

    /**
     * The next few, from as many lanes as it takes: at most so many, and fewer where they are
     * large; none at the end.
     */
    List<AsideRow> next(int max) {
        Portion portion = Portion.of(max);
        List<AsideRow> all = new ArrayList<>();
        long bytes = 0;
        while (at.lane() < shape.spec().lanes() && !portion.isFull(all.size(), bytes)) {
            List<AsideRow> page =
                    rows.aside().page(shape.id(), at, portion.less(all.size(), bytes));
            if (page.isEmpty()) {
                at = at.nextLane();
            } else {
                at = at.behind(page.get(page.size() - 1));
                bytes += AsideRow.bytes(page);
                all.addAll(page);
            }
        }
        return all;
    }
}
