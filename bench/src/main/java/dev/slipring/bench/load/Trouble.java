// SPDX-License-Identifier: Apache-2.0
package dev.slipring.bench.load;

import dev.slipring.bench.BenchFailed;
import dev.slipring.bench.subject.Sink;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.LongSupplier;

/** The first failure of any thread of a run, which ends the run. Thread-safe. */
final class Trouble {

    /** How long a run stands still before messages that are not handled count as lost. */
    static final Duration PATIENCE = Duration.ofSeconds(20);

    private static final Duration LOOK = Duration.ofMillis(1);

    /** What a thread of a run does. */
    @FunctionalInterface
    interface Task {
        void run() throws Exception;
    }

    private final AtomicReference<Throwable> first = new AtomicReference<>();
    private final CountDownLatch happened = new CountDownLatch(1);

    /** Starts a platform thread whose failure is noticed here. */
    Thread start(String name, Task task) {
        return start(ThreadKind.PLATFORM, name, task);
    }

    /** Starts a thread whose failure is noticed here. */
    Thread start(ThreadKind kind, String name, Task task) {
        return kind.start(
                name,
                () -> {
                    try {
                        task.run();
                    } catch (Throwable e) {
                        report(e);
                    }
                });
    }

    /** Takes note of a failure. */
    void report(Throwable e) {
        first.compareAndSet(null, e);
        happened.countDown();
    }

    /** The same sink, whose failures are noticed here, whatever the queue makes of them. */
    Sink watched(Sink sink) {
        return (body, length) -> {
            try {
                sink.take(body, length);
            } catch (RuntimeException | Error e) {
                report(e);
                throw e;
            }
        };
    }

    boolean happened() {
        return happened.getCount() == 0;
    }

    /** Waits; throws what goes wrong meanwhile. */
    void sleep(Duration time) throws InterruptedException {
        if (happened.await(time.toNanos(), TimeUnit.NANOSECONDS)) {
            throwIt();
        }
    }

    /** Waits for a thread to end; throws what goes wrong meanwhile. */
    void join(Thread thread) throws InterruptedException {
        while (thread.isAlive() && !happened()) {
            thread.join(50);
        }
        throwIt();
    }

    /**
     * Waits until all messages are handled, as long as some come: a slow system is not a broken
     * one. Throws what goes wrong meanwhile.
     *
     * @param handled how many are handled by now
     * @param patience how long it may stand still
     */
    void await(long all, LongSupplier handled, Duration patience) throws InterruptedException {
        long seen = -1;
        long since = System.nanoTime();
        for (long now = handled.getAsLong(); now < all; now = handled.getAsLong()) {
            if (now != seen) {
                seen = now;
                since = System.nanoTime();
            } else if (System.nanoTime() - since > patience.toNanos()) {
                throw new BenchFailed(
                        "pushed "
                                + all
                                + " messages, handled "
                                + now
                                + ", and then none for "
                                + patience.toMillis()
                                + " milliseconds");
            }
            sleep(LOOK);
        }
    }

    private void throwIt() {
        Throwable e = first.get();
        if (e instanceof BenchFailed failed) {
            throw failed;
        }
        if (e != null) {
            throw new BenchFailed("a thread of the run failed: " + e, e);
        }
    }
}
