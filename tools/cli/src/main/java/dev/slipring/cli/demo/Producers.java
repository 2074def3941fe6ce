// SPDX-License-Identifier: Apache-2.0
package dev.slipring.cli.demo;

import dev.slipring.Ring;
import dev.slipring.SlipringException;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** Threads that push quakes, each its share in the order of their times, one message at a time. */
final class Producers {

    private final Ring ring;
    private final Tally tally;
    private final List<Future<Void>> running = new ArrayList<>();

    /** Starts the producers. */
    Producers(Ring ring, Tally tally, List<String> quakes, int threads) {
        this.ring = ring;
        this.tally = tally;
        ExecutorService pool =
                Executors.newFixedThreadPool(
                        threads,
                        task -> {
                            Thread thread = new Thread(task, "producer");
                            thread.setDaemon(true);
                            return thread;
                        });
        for (int i = 0; i < threads; i++) {
            int first = i;
            running.add(pool.submit(() -> push(quakes, first, threads)));
        }
        pool.shutdown();
    }

    private Void push(List<String> quakes, int first, int step) throws IOException {
        for (int i = first; i < quakes.size(); i += step) {
            ring.push(quakes.get(i));
            tally.pushed(quakes.get(i));
        }
        return null;
    }

    /** Waits until all quakes are pushed. */
    void await(Duration atMost) throws InterruptedException {
        for (Future<Void> producer : running) {
            try {
                producer.get(atMost.toMillis(), TimeUnit.MILLISECONDS);
            } catch (ExecutionException | TimeoutException e) {
                throw new SlipringException(
                        "a producer did not come to its end: " + e.getMessage(), e);
            }
        }
    }
}
