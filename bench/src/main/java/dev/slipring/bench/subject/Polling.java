// SPDX-License-Identifier: Apache-2.0
package dev.slipring.bench.subject;

import dev.slipring.bench.BenchFailed;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * Threads that look again and again until this is closed, a millisecond after a look that found
 * nothing.
 */
final class Polling implements AutoCloseable {

    private final Callable<Boolean> look;
    private final Consumer<Exception> failing;
    private final List<Thread> threads = new ArrayList<>();
    private volatile boolean stopping;
    private volatile Exception failure;

    /**
     * Starts them.
     *
     * @param look handles what is there; returns whether there was anything
     * @param failing is told what a thread ends of
     */
    Polling(int count, Callable<Boolean> look, Consumer<Exception> failing) {
        this.look = look;
        this.failing = failing;
        for (int i = 0; i < count; i++) {
            Thread thread = new Thread(this::run, "bench-poll-" + i);
            thread.setDaemon(true);
            threads.add(thread);
            thread.start();
        }
    }

    private void run() {
        try {
            while (!stopping) {
                if (!look.call()) {
                    TimeUnit.MILLISECONDS.sleep(1);
                }
            }
        } catch (Exception e) {
            failure = e;
            failing.accept(e);
        }
    }

    @Override
    public void close() throws InterruptedException {
        stopping = true;
        for (Thread thread : threads) {
            thread.join();
        }
        if (failure != null) {
            throw new BenchFailed("polling failed: " + failure, failure);
        }
    }
}
