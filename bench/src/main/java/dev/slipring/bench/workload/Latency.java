// SPDX-License-Identifier: Apache-2.0
package dev.slipring.bench.workload;

import dev.slipring.bench.load.Measured;
import dev.slipring.bench.load.Pace;
import dev.slipring.bench.load.Timing;
import dev.slipring.bench.subject.Contender;
import dev.slipring.bench.subject.Place;
import dev.slipring.bench.subject.Plan;
import dev.slipring.bench.subject.SharedPlace;
import dev.slipring.bench.subject.Subject;
import dev.slipring.bench.subject.Target;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * From push to handler, a message each millisecond, pushed by one thread or by sixteen in turn, as
 * the requests to a server would; and from another process.
 *
 * <pre>
 *     1 or 16 threads, push 1 each ms --&gt; [ ring ] --&gt; 1 worker, handler
 * </pre>
 */
final class Latency implements Workload {

    private static final int[] THREADS = {1, 16};
    private static final Plan PLAN = new Plan(100_000, 1);
    private static final String RATE = "1000 a second";

    /**
     * The longest ramp. A Java that has just started interprets its code, whatever the queue, and
     * at this rate its compilers are at work for ten seconds and more.
     */
    private static final Duration TO_GET_WARM = Duration.ofSeconds(15);

    @Override
    public String name() {
        return "latency";
    }

    @Override
    public List<Trial> trials(Target target) {
        List<Trial> trials = new ArrayList<>();
        for (int threads : THREADS) {
            for (Contender contender : target.handlers()) {
                trials.add(
                        new FreshTrial(
                                new Setting(threads, 1, RATE),
                                contender,
                                PLAN,
                                (subject, place, timing) ->
                                        new Pace(subject, threads, timing).run()));
            }
        }
        for (int threads : THREADS) {
            for (Contender contender : target.shared()) {
                trials.add(
                        new FreshTrial(
                                new Setting(threads, 1, RATE + ", from another process"),
                                contender,
                                PLAN,
                                (subject, place, timing) ->
                                        elsewhere(contender, subject, place, threads, timing)));
            }
        }
        return trials;
    }

    private static Measured elsewhere(
            Contender contender, Subject subject, Place place, int threads, Timing timing)
            throws Exception {
        try (Elsewhere pushing = new Elsewhere(contender, (SharedPlace) place, PLAN, threads)) {
            return new Pace(subject, threads, timing.compiled(TO_GET_WARM), pushing).run();
        }
    }
}
