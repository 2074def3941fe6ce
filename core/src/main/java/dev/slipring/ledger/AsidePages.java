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
    private final String stage;
    private final AsideRow.State state;
    private int lane;
    private long behind;

    private AsidePages(
            RingRows rows, Shape shape, String stage, AsideRow.State state, int lane, long behind) {
        this.rows = rows;
        this.shape = shape;
        this.stage = stage;
        this.state = state;
        this.lane = lane;
        this.behind = behind;
    }

    /** All of them. */
    static AsidePages all(RingRows rows, Shape shape, String stage, AsideRow.State state) {
        return behind(rows, shape, stage, state, 0, -1);
    }

    /** Those behind a place. */
    static AsidePages behind(
            RingRows rows,
            Shape shape,
            String stage,
            AsideRow.State state,
            int lane,
            long position) {
        return new AsidePages(rows, shape, stage, state, lane, position);
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
        List<AsideRow> all = new ArrayList<>();
        long bytes = 0;
        while (lane < shape.spec().lanes() && all.size() < max && bytes < Deliveries.MAX_BYTES) {
            List<AsideRow> page = page(max - all.size(), Deliveries.MAX_BYTES - bytes);
            if (page.isEmpty()) {
                lane++;
                behind = -1;
            } else {
                behind = page.get(page.size() - 1).position();
                bytes += page.stream().mapToLong(row -> row.message().length).sum();
                all.addAll(page);
            }
        }
        return all;
    }

    private List<AsideRow> page(int max, long maxBytes) {
        return rows.aside().page(shape.id(), stage, lane, state, behind, max, maxBytes);
    }
}
