// SPDX-License-Identifier: Apache-2.0
package dev.slipring.bench.workload;

import dev.slipring.bench.BenchFailed;
import dev.slipring.bench.load.Checksum;
import dev.slipring.bench.load.Flow;
import dev.slipring.bench.load.Measured;
import dev.slipring.bench.load.Source;
import dev.slipring.bench.load.Tally;
import dev.slipring.bench.load.Timing;
import dev.slipring.bench.subject.Contender;
import dev.slipring.bench.subject.Place;
import dev.slipring.bench.subject.Plan;
import dev.slipring.bench.subject.Subject;

import java.util.List;

/** A trial whose queue is used in all rounds, and is filled up before each. */
final class FilledTrial implements Trial {

    private static final int BATCHES_BESIDE = 20;

    private final Contender contender;
    private final long waiting;
    private final int batch;
    private final Source source = new Source(0);
    private final Tally tally = Tally.remembering();
    private Place place;

    FilledTrial(Contender contender, long waiting, int batch) {
        this.contender = contender;
        this.waiting = waiting;
        this.batch = batch;
    }

    @Override
    public Setting setting() {
        return new Setting(1, batch, "waiting " + waiting);
    }

    @Override
    public Contender contender() {
        return contender;
    }

    @Override
    public Measured run(Timing timing) throws Exception {
        if (place == null) {
            place = contender.place();
        }
        Plan plan = new Plan(waiting + (long) BATCHES_BESIDE * batch, 1);
        try (Subject subject = contender.open(place, plan)) {
            while (waiting() < waiting) {
                int more = (int) Math.min(batch, waiting - waiting());
                subject.push(source.next(more));
                source.pushed(more);
            }
            Subject backed = new Backed(subject, waiting, waiting());
            Measured measured =
                    new Flow(backed, List.of(source), List.of(tally), batch, batch)
                            .run(timing, false);
            Checksum.some(source, tally);
            if (subject.waiting() != waiting()) {
                throw new BenchFailed(
                        "pushed "
                                + source.count()
                                + " messages and took "
                                + tally.count()
                                + ", but "
                                + subject.waiting()
                                + " are left");
            }
            return measured.withoutLatencies();
        }
    }

    private long waiting() {
        return source.count() - tally.count();
    }

    @Override
    public void close() {
        if (place != null) {
            place.close();
        }
    }
}
