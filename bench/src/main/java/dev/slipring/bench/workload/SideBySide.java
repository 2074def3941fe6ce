// SPDX-License-Identifier: Apache-2.0
package dev.slipring.bench.workload;

import dev.slipring.bench.BenchFailed;
import dev.slipring.bench.load.Bodies;
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
import java.util.Locale;
import java.util.stream.Stream;

/**
 * Several stages side by side, each of which takes everything. Without rings every stage has a
 * table, and every message is copied into each.
 *
 * <pre>
 *                                            +--&gt; stage1, claim 1,000, done
 *     1 thread, push 1,000 --&gt; [ 20,000 ] --&gt;+--&gt; stage2, claim 1,000, done
 *                                            +--&gt; stage3, claim 1,000, done
 * </pre>
 */
final class SideBySide implements Workload {

    private static final int[] STAGES = {1, 3, 10};
    private static final int BATCH = 1000;
    private static final int CAPACITY = 20_000;
    private static final int FIRST_BATCHES = 5;

    @Override
    public String name() {
        return "fanout";
    }

    @Override
    public List<Trial> trials(Target target) {
        List<Trial> trials = new ArrayList<>();
        for (int stages : STAGES) {
            String what = stages == 1 ? "1 stage" : stages + " stages";
            for (Contender contender : target.contenders()) {
                boolean once = !contender.system().equals(Contender.baseline(target.engine()));
                trials.add(
                        new FreshTrial(
                                new Setting(1, BATCH, what),
                                contender,
                                new Plan(CAPACITY, stages),
                                (subject, place, timing) -> run(subject, stages, once, timing)));
            }
        }
        return trials;
    }

    private static Measured run(Subject subject, int stages, boolean once, Timing timing)
            throws Exception {
        Source source = new Source(0);
        for (int i = 0; i < FIRST_BATCHES; i++) {
            subject.push(source.next(BATCH));
            source.pushed(BATCH);
        }
        // No stage takes yet, so the queue holds all that was pushed.
        double held = subject.heldPerMessage();
        if (once && (held < Bodies.BYTES || held >= 2 * Bodies.BYTES)) {
            throw new BenchFailed(
                    held
                            + " bytes are held for each message of "
                            + Bodies.BYTES
                            + " bytes, with "
                            + stages
                            + " stages; it is to be stored once");
        }
        List<Source> sources = List.of(source);
        List<Tally> tallies = Stream.generate(Tally::new).limit(stages).toList();
        Measured measured = new Flow(subject, sources, tallies, BATCH, BATCH).run(timing, true);
        Checksum.all(sources, tallies);
        return measured.withoutLatencies()
                .note(String.format(Locale.ROOT, "%.0f bytes held a message", held));
    }
}
