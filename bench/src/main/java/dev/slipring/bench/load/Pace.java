// SPDX-License-Identifier: Apache-2.0
package dev.slipring.bench.load;

import dev.slipring.bench.subject.Subject;

import org.HdrHistogram.Histogram;

import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;

/**
 * A handler, and a producer that pushes a message each millisecond. A latency counts from the
 * moment at which a message was due to be pushed, so a push that is late because the one before it
 * was slow does not hide it.
 */
public final class Pace {

    /** Pushes the messages. */
    @FunctionalInterface
    public interface Pushing {

        /** Pushes what is due, with a thread for each source, and counts it in the sources. */
        void push(Beat beat, List<Source> sources) throws Exception;
    }

    /** Enough time to tell another process when to begin. */
    private static final long HEAD_START_NANOS = TimeUnit.MILLISECONDS.toNanos(20);

    private final Subject subject;
    private final Pushing pushing;
    private final List<Source> sources;
    private final Tally tally = new Tally();
    private final Histogram nanos = new Histogram(3);
    private final Trouble trouble = new Trouble();
    private final long ramp;
    private final long all;
    private volatile Beat beat;

    /** Threads of this process push; they do not run yet. */
    public Pace(Subject subject, int threads, Timing timing) {
        this(subject, threads, timing, (beat, sources) -> beat.push(subject, sources));
    }

    /** {@code pushing} pushes, with this many threads; it does not run yet. */
    public Pace(Subject subject, int threads, Timing timing, Pushing pushing) {
        this.subject = subject;
        this.pushing = pushing;
        this.sources = IntStream.range(0, threads).mapToObj(Source::new).toList();
        this.ramp = timing.ramp().toMillis();
        this.all = ramp + Math.max(1, timing.window().toMillis());
    }

    /** Runs, and checks that everything was delivered. */
    public Measured run() throws Exception {
        double seconds;
        beat = new Beat(System.nanoTime() + HEAD_START_NANOS, all);
        try (AutoCloseable workers =
                subject.handle(1, trouble.watched(this::handle), trouble::report)) {
            trouble.join(trouble.start("bench-beat", () -> pushing.push(beat, sources)));
            trouble.await(all, tally::count, Trouble.PATIENCE);
            seconds = (System.nanoTime() - beat.due(ramp)) / 1e9;
        }
        Checksum.all(sources, List.of(tally));
        return Measured.rate((all - ramp) / seconds).latencies(nanos);
    }

    private void handle(byte[] body, int length) {
        long number = Bodies.number(body);
        long index = Source.before(number) * sources.size() + Source.of(number);
        if (index >= ramp) {
            nanos.recordValue(Math.max(0, System.nanoTime() - beat.due(index)));
        }
        tally.take(body, length);
        tally.settle();
    }
}
