// SPDX-License-Identifier: Apache-2.0
package dev.slipring.bench.disruptor3;

import com.lmax.disruptor.WorkHandler;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongConsumer;
import java.util.function.LongToDoubleFunction;

/** A worker: adds up, and computes what is to be computed, until a negative value ends it. */
final class Adder implements WorkHandler<Event> {

    private final LongToDoubleFunction computing;
    private final LongConsumer gauge;
    private final AtomicLong total;
    private final CountDownLatch ended;
    private long sum;

    Adder(
            LongToDoubleFunction computing,
            LongConsumer gauge,
            AtomicLong total,
            CountDownLatch ended) {
        this.computing = computing;
        this.gauge = gauge;
        this.total = total;
        this.ended = ended;
    }

    @Override
    public void onEvent(Event event) throws InterruptedException {
        if (event.value >= 0) {
            sum += event.value;
            if (computing != null) {
                event.result = computing.applyAsDouble(event.value);
            }
            if (gauge != null) {
                gauge.accept(event.value);
            }
            return;
        }
        total.addAndGet(sum);
        ended.countDown();
        // A worker that returned would take the word that ends another.
        Thread.sleep(Long.MAX_VALUE);
    }
}
