// SPDX-License-Identifier: Apache-2.0
package dev.slipring.bench.ring.rival;

import static org.assertj.core.api.Assertions.assertThat;

import dev.slipring.bench.ring.contest.Event;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.util.ArrayList;
import java.util.List;

/** Messages are used again when nobody uses them any more, and as soon as they have to be. */
@Timeout(60)
class StockTest {

    @Test
    void forOneConsumerTheyComeInTurn() {
        Stock stock = Stock.forOne(4);
        Event first = stock.next();
        for (int i = 0; i < 5; i++) {
            assertThat(stock.next()).isNotSameAs(first);
        }
        assertThat(stock.next()).isSameAs(first);
    }

    @Test
    void whatAWorkerHasIsPassedOver() {
        Stock stock = Stock.forPool(4, 1);
        List<Event> used = new ArrayList<>();
        for (int i = 0; i < 6; i++) {
            used.add(stock.nextThatIsFree());
            used.get(i).value = i;
        }
        assertThat(used).doesNotHaveDuplicates();
        // The worker still uses the first.
        used.subList(1, 6).forEach(Stock::free);
        assertThat(stock.nextThatIsFree()).isSameAs(used.get(1));
    }
}
