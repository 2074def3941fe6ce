// SPDX-License-Identifier: Apache-2.0
package dev.slipring.bench.disruptor3;

import com.lmax.disruptor.EventHandler;

import java.util.concurrent.CountDownLatch;

/** The stage behind a pool: adds up the values and what was computed; read when it has ended. */
final class Follower implements EventHandler<Event> {

    private final CountDownLatch ended;
    private long left;
    private long sum;
    private double results;

    /** One that ends after so many messages. */
    Follower(long messages, CountDownLatch ended) {
        this.left = messages;
        this.ended = ended;
    }

    @Override
    public void onEvent(Event event, long sequence, boolean endOfBatch) {
        if (event.value >= 0) {
            sum += event.value;
            results += event.result;
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
