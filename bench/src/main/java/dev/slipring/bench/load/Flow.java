// SPDX-License-Identifier: Apache-2.0
package dev.slipring.bench.load;

import dev.slipring.bench.BenchFailed;
import dev.slipring.bench.subject.Subject;

import org.HdrHistogram.Histogram;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * Threads that push as fast as they can, and one for each stage that takes as fast as it can.
 *
 * <pre>
 *     source --&gt;+             +--&gt; tally
 *     source --&gt;+--&gt; queue --&gt;+
 *     source --&gt;+             +--&gt; tally
 * </pre>
 */
public final class Flow {

    private static final int HISTOGRAM_DIGITS = 3;

    private final Subject subject;
    private final List<Source> sources;
    private final List<Tally> tallies;
    private final int batch;
    private final int most;
    private final Duration patience;
    private final Trouble trouble = new Trouble();
    private final Histogram nanos = new Histogram(HISTOGRAM_DIGITS);
    private ThreadKind kind = ThreadKind.PLATFORM;
    private volatile boolean measuring;
    private volatile boolean pushing = true;
    private volatile boolean taking = true;

    /**
     * Threads that do not run yet.
     *
     * @param subject the queue
     * @param sources one for each thread that pushes
     * @param tallies one for each stage; none if no thread takes
     * @param batch how many messages are pushed at a time
     * @param most how many messages are taken at a time, at most
     */
    public Flow(Subject subject, List<Source> sources, List<Tally> tallies, int batch, int most) {
        this(subject, sources, tallies, batch, most, Trouble.PATIENCE);
    }

    Flow(
            Subject subject,
            List<Source> sources,
            List<Tally> tallies,
            int batch,
            int most,
            Duration patience) {
        this.patience = patience;
        this.subject = subject;
        this.sources = sources;
        this.tallies = tallies;
        this.batch = batch;
        this.most = most;
    }

    /** Has threads of this kind push, instead of platform threads. */
    public Flow pushedBy(ThreadKind threads) {
        kind = threads;
        return this;
    }

    /** Watches a run and measures it. */
    @FunctionalInterface
    public interface Watch {
        Measured watch(Flow flow) throws Exception;
    }

    /** Runs; what is still waiting at the end is taken too if the queue is to be drained. */
    public Measured run(Timing timing, boolean drain) throws InterruptedException {
        try {
            return run(flow -> flow.measure(timing), drain).latencies(nanos);
        } catch (InterruptedException | RuntimeException e) {
            throw e;
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }

    /**
     * Runs until {@code watch} returns; what is still waiting then is taken too if {@code drain}.
     */
    public Measured run(Watch watch, boolean drain) throws Exception {
        List<Thread> takers = new ArrayList<>();
        for (int stage = 0; stage < tallies.size(); stage++) {
            int number = stage;
            takers.add(trouble.start("bench-take-" + stage, () -> take(number)));
        }
        List<Thread> pushers = new ArrayList<>();
        for (Source source : sources) {
            String name = "bench-push-" + pushers.size();
            pushers.add(trouble.start(kind, name, () -> push(source)));
        }
        Measured measured;
        try {
            measured = watch.watch(this);
            pushing = false;
            for (Thread thread : pushers) {
                trouble.join(thread);
            }
            if (drain) {
                trouble.await(pushed(), this::delivered, patience);
            }
        } finally {
            pushing = false;
            taking = false;
        }
        for (Thread thread : takers) {
            trouble.join(thread);
        }
        return measured;
    }

    /**
     * Takes what was pushed and not taken yet, in this thread.
     *
     * @param most how many messages are taken at a time, at most
     * @param all how many were pushed
     */
    public static void drain(Subject subject, Tally tally, int most, long all) throws Exception {
        drain(subject, tally, most, all, Trouble.PATIENCE);
    }

    static void drain(Subject subject, Tally tally, int most, long all, Duration patience)
            throws Exception {
        long since = System.nanoTime();
        while (tally.count() < all) {
            int taken = subject.take(0, most, tally);
            tally.settle();
            if (taken > 0) {
                since = System.nanoTime();
            } else if (System.nanoTime() - since > patience.toNanos()) {
                throw new BenchFailed(
                        "pushed "
                                + all
                                + " messages, took "
                                + tally.count()
                                + ", and then none came");
            }
        }
    }

    /** How many messages were both pushed and delivered so far. */
    public long moved() {
        return Math.min(pushed(), delivered());
    }

    /** Waits while it runs; throws what goes wrong meanwhile. */
    public void sleep(Duration time) throws InterruptedException {
        trouble.sleep(time);
    }

    private Measured measure(Timing timing) throws InterruptedException {
        WarmUp.await(timing, trouble);
        measuring = true;
        long start = System.nanoTime();
        long pushedBefore = pushed();
        long deliveredBefore = delivered();
        trouble.sleep(timing.window());
        // A machine may stand still for a whole short window, so the window lasts until something
        // has moved.
        long end = System.nanoTime() + patience.toNanos();
        while (movedSince(pushedBefore, deliveredBefore) == 0 && System.nanoTime() < end) {
            trouble.sleep(Duration.ofMillis(5));
        }
        measuring = false;
        double seconds = (System.nanoTime() - start) / 1e9;
        return Measured.rate(movedSince(pushedBefore, deliveredBefore) / seconds);
    }

    private long movedSince(long pushedBefore, long deliveredBefore) {
        long pushes = pushed() - pushedBefore;
        return tallies.isEmpty() ? pushes : Math.min(pushes, delivered() - deliveredBefore);
    }

    private long pushed() {
        return sources.stream().mapToLong(Source::count).sum();
    }

    /**
     * How much the slowest stage has done; without a stage the largest number, as nothing waits for
     * it.
     */
    private long delivered() {
        return tallies.stream().mapToLong(Tally::count).min().orElse(Long.MAX_VALUE);
    }

    private void push(Source source) throws Exception {
        Histogram mine = new Histogram(HISTOGRAM_DIGITS);
        do {
            List<byte[]> bodies = source.next(batch);
            long start = System.nanoTime();
            subject.push(bodies);
            if (measuring) {
                mine.recordValue(System.nanoTime() - start);
            }
            source.pushed(batch);
        } while (pushing);
        synchronized (nanos) {
            nanos.add(mine);
        }
    }

    private void take(int stage) throws Exception {
        Tally tally = tallies.get(stage);
        while (taking) {
            subject.take(stage, most, tally);
            tally.settle();
        }
        subject.finish(stage);
    }
}
