// SPDX-License-Identifier: Apache-2.0
package dev.slipring.bench.disruptor3;

import com.lmax.disruptor.EventHandler;

import java.util.concurrent.CountDownLatch;
import java.util.function.LongConsumer;

/** The stage behind a pool: adds up the values and what was computed; read when it has ended. */
final class Follower implements EventHandler<Event> {

    private final LongConsumer gauge;
    private final CountDownLatch ended;
    private long left;
    private long sum;
    private double results;

    /** One that ends after so many messages. */
    Follower(long messages, LongConsumer gauge, CountDownLatch ended) {
        this.left = messages;
        this.gauge = gauge;
        this.ended = ended;
    }

    @Override
    public void onEvent(Event event, long sequence, boolean endOfBatch) {
        if (event.value >= 0) {
            sum += event.value;
            results += event.result;
            if (gauge != null) {
                gauge.accept(event.value);
            }
            if (--left == 0) {
                ended.countDown();
            }
        }
    }

    long sum() {
        return sum;
    }

    double results() {
        return results;
    }
}
