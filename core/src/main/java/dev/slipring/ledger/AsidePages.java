// SPDX-License-Identifier: Apache-2.0
package dev.slipring.ledger;

import dev.slipring.engine.Shape;

import java.util.Iterator;
import java.util.List;
import java.util.NoSuchElementException;

/**
 * The rows of a stage in a state with their messages, by lane and position, a few at a time: all
 * together may be larger than the memory.
 */
final class AsidePages implements Iterable<List<AsideRow>> {

    private static final int MOST = 1_000;

    private final Rows rows;
    private final Shape shape;
    private final String stage;
    private final AsideRow.State state;

    AsidePages(Rows rows, Shape shape, String stage, AsideRow.State state) {
        this.rows = rows;
        this.shape = shape;
        this.stage = stage;
        this.state = state;
    }

    private List<AsideRow> behind(AsideTable.Place place) {
        return rows.aside().page(shape.id(), stage, state, place, MOST, Deliveries.MAX_BYTES);
    }

    @Override
    public Iterator<List<AsideRow>> iterator() {
        return new Iterator<>() {

            private AsideTable.Place place = AsideTable.Place.FIRST;
            private List<AsideRow> page;

            @Override
            public boolean hasNext() {
                if (page == null) {
                    page = behind(place);
                }
                return !page.isEmpty();
            }

            @Override
            public List<AsideRow> next() {
                if (!hasNext()) {
                    throw new NoSuchElementException();
                }
                List<AsideRow> next = page;
                place = AsideTable.Place.of(next.get(next.size() - 1));
                page = null;
                return next;
            }
        };
    }
}
