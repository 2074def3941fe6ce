// SPDX-License-Identifier: Apache-2.0
package dev.slipring.bench.workload;

import dev.slipring.bench.load.Checksum;
import dev.slipring.bench.load.Flow;
import dev.slipring.bench.load.Measured;
import dev.slipring.bench.load.Source;
import dev.slipring.bench.load.Tally;
import dev.slipring.bench.load.ThreadKind;
import dev.slipring.bench.load.Timing;
import dev.slipring.bench.subject.Contender;
import dev.slipring.bench.subject.Plan;
import dev.slipring.bench.subject.Subject;
import dev.slipring.bench.subject.Target;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;

/**
 * Many threads push one message at a time, and each waits until its message is durable. The latency
 * is how long a push took. The largest number of threads is measured once more with virtual
 * threads, if Java has them.
 *
 * <pre>
 *     thread, push 1 --&gt;+
 *     thread, push 1 --&gt;+--&gt; [ ring of 20,000 ] --&gt; 1 worker, claim up to 1,000, done
 *     thread, push 1 --&gt;+
 * </pre>
 */
final class Threads implements Workload {

    private static final int[] THREADS = {1, 4, 16, 64};
    private static final Plan PLAN = new Plan(20_000, 1);
    private static final int MOST = 1000;

    @Override
    public String name() {
        return "threads";
    }

    @Override
    public List<Trial> trials(Target target) {
        List<Trial> trials = new ArrayList<>();
        for (int threads : THREADS) {
            for (Contender contender : target.handlers()) {
                trials.add(trial(threads, ThreadKind.PLATFORM, contender));
            }
        }
        if (ThreadKind.VIRTUAL.isThere()) {
            int most = THREADS[THREADS.length - 1];
            for (Contender contender : target.handlers()) {
                trials.add(trial(most, ThreadKind.VIRTUAL, contender));
            }
        }
        return trials;
    }

    private static Trial trial(int threads, ThreadKind kind, Contender contender) {
        return new FreshTrial(
                new Setting(threads, 1, kind.words()),
                contender,
                PLAN,
                (subject, place, timing) -> run(subject, threads, kind, timing));
    }

    private static Measured run(Subject subject, int threads, ThreadKind kind, Timing timing)
            throws InterruptedException {
        List<Source> sources = IntStream.range(0, threads).mapToObj(Source::new).toList();
        List<Tally> tallies = List.of(new Tally());
        Measured measured =
                new Flow(subject, sources, tallies, 1, MOST).pushedBy(kind).run(timing, true);
        Checksum.all(sources, tallies);
        return measured;
    }
}
