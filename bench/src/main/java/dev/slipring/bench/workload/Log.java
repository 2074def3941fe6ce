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
import dev.slipring.bench.subject.PostgresPlace;
import dev.slipring.bench.subject.Subject;
import dev.slipring.bench.subject.Target;

import java.util.ArrayList;
import java.util.List;

/**
 * The cycle again, to see how much the server writes to its log for a message that is pushed, taken
 * and done. This is what goes to the disk, to the standbys and into the backups.
 *
 * <pre>
 *     1 thread, push --&gt; [ ring of 20,000 ] --&gt; 1 worker, claim, done
 *                             |
 *                             +--&gt; write-ahead log
 * </pre>
 */
final class Log implements Workload {

    private static final int[] BATCHES = {1, 100, 1000};
    private static final Plan PLAN = new Plan(20_000, 1);

    @Override
    public String name() {
        return "wal";
    }

    @Override
    public List<Trial> trials(Target target) {
        List<Trial> trials = new ArrayList<>();
        if (target.joining().isEmpty()) {
            return trials;
        }
        for (int batch : BATCHES) {
            for (Contender contender : target.variants()) {
                trials.add(
                        new FreshTrial(
                                new Setting(1, batch, ""),
                                contender,
                                PLAN,
                                (subject, place, timing) ->
                                        run(subject, (PostgresPlace) place, batch, timing)));
            }
        }
        return trials;
    }

    private static Measured run(Subject subject, PostgresPlace place, int batch, Timing timing)
            throws Exception {
        List<Source> sources = List.of(new Source(0));
        List<Tally> tallies = List.of(new Tally());
        long before = place.logBytes();
        Measured measured = new Flow(subject, sources, tallies, batch, batch).run(timing, true);
        double bytes = place.logBytes() - before;
        Checksum.all(sources, tallies);
        return measured.withoutLatencies().logBytes(bytes / tallies.get(0).count());
    }
}
