// SPDX-License-Identifier: Apache-2.0
package dev.slipring.bench.workload;

import dev.slipring.bench.load.Checksum;
import dev.slipring.bench.load.Flow;
import dev.slipring.bench.load.Measured;
import dev.slipring.bench.load.Source;
import dev.slipring.bench.load.Tally;
import dev.slipring.bench.load.Timing;
import dev.slipring.bench.subject.Contender;
import dev.slipring.bench.subject.Plan;
import dev.slipring.bench.subject.Subject;
import dev.slipring.bench.subject.Target;

import java.util.ArrayList;
import java.util.List;

/**
 * One thread pushes batches, one takes batches of at most that size, both as fast as they can, over
 * many laps of a ring that holds some batches.
 *
 * <pre>
 *     1 thread, push 1,000 --&gt; [ ring of 20,000 ] --&gt; 1 worker, claim 1,000, done
 * </pre>
 */
final class Cycle implements Workload {

    private static final int[] BATCHES = {1, 10, 100, 1000};
    private static final int BATCHES_HELD = 20;
    private static final int LEAST_HELD = 1000;

    @Override
    public String name() {
        return "cycle";
    }

    @Override
    public List<Trial> trials(Target target) {
        List<Trial> trials = new ArrayList<>();
        for (int batch : BATCHES) {
            Plan plan = new Plan(Math.max(LEAST_HELD, BATCHES_HELD * batch), 1);
            for (Contender contender : target.variants()) {
                trials.add(
                        new FreshTrial(
                                new Setting(1, batch, ""),
                                contender,
                                plan,
                                (subject, place, timing) -> run(subject, batch, timing)));
            }
        }
        return trials;
    }

    /** Moves batches through a queue that is empty, and checks that all came. */
    static Measured run(Subject subject, int batch, Timing timing) throws InterruptedException {
        List<Source> sources = List.of(new Source(0));
        List<Tally> tallies = List.of(new Tally());
        Measured measured = new Flow(subject, sources, tallies, batch, batch).run(timing, true);
        Checksum.all(sources, tallies);
        return measured.withoutLatencies();
    }
}
