// SPDX-License-Identifier: Apache-2.0
package dev.slipring.bench.load;

import dev.slipring.bench.BenchFailed;
import dev.slipring.bench.subject.Subject;

import org.HdrHistogram.Histogram;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;

/**
 * Threads that push one message each at times that are fixed beforehand, and a handler. A latency
 * counts from the moment at which a message was due to be pushed, so a push that is late because
 * the one before it was slow does not hide it.
 *
 * <pre>
 *     due    0 ms      1 ms      2 ms      3 ms
 *            thread 0  thread 1  thread 0  thread 1
 * </pre>
 */
public final class Pace {

    private static final long PERIOD_NANOS = TimeUnit.MILLISECONDS.toNanos(1);
    private static final Duration PATIENCE = Duration.ofSeconds(20);

    private final Subject subject;
    private final List<Source> sources;
    private final Tally tally = new Tally();
    private final Histogram nanos = new Histogram(3);
    private final Trouble trouble = new Trouble();
    private final long ramp;
    private final long all;
    private volatile long start;

    /** Threads that are yet to run. */
    public Pace(Subject subject, int threads, Timing timing) {
        this.subject = subject;
        this.sources = IntStream.range(0, threads).mapToObj(Source::new).toList();
        this.ramp = timing.ramp().toMillis();
        this.all = ramp + Math.max(1, timing.window().toMillis());
    }

    /** Runs, and checks that everything was delivered. */
    public Measured run() throws Exception {
        double seconds;
        start = System.nanoTime() + PERIOD_NANOS;
        try (AutoCloseable workers = subject.handle(1, this::handle)) {
            List<Thread> pushers = new ArrayList<>();
            for (int thread = 0; thread < sources.size(); thread++) {
                int number = thread;
                pushers.add(trouble.start("bench-push-" + thread, () -> push(number)));
            }
            for (Thread thread : pushers) {
                trouble.join(thread);
            }
            awaitAll();
            seconds = (System.nanoTime() - due(ramp)) / 1e9;
        }
        Checksum.all(sources, List.of(tally));
        return Measured.rate((all - ramp) / seconds).latencies(nanos);
    }

    private void push(int thread) throws Exception {
        Source source = sources.get(thread);
        for (long index = thread; index < all; index += sources.size()) {
            sleepUntil(due(index));
            subject.push(source.next(1));
            source.pushed(1);
        }
    }

    private void handle(byte[] body, int length) {
        long number = Bodies.number(body);
        long index = Source.before(number) * sources.size() + Source.of(number);
        if (index >= ramp) {
            nanos.recordValue(Math.max(0, System.nanoTime() - due(index)));
        }
        tally.take(body, length);
        tally.settle();
    }

    private long due(long index) {
        return start + index * PERIOD_NANOS;
    }

    private static void sleepUntil(long when) {
        for (long left = when - System.nanoTime(); left > 0; left = when - System.nanoTime()) {
            LockSupport.parkNanos(left);
        }
    }

    private void awaitAll() throws InterruptedException {
        long end = System.nanoTime() + PATIENCE.toNanos();
        while (tally.count() < all) {
            if (System.nanoTime() - end > 0) {
                throw new BenchFailed("pushed " + all + " messages, handled " + tally.count());
            }
            trouble.sleep(Duration.ofMillis(1));
        }
    }
}
