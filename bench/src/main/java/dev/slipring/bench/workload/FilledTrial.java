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

/**
 * A trial with a queue through which as many messages went once as are to wait at most. Of them so
 * many still wait as its setting says, in every round: who pushes does not get far ahead of who
 * takes.
 */
final class FilledTrial implements Trial {

    private static final int BATCHES_BESIDE = 20;

    private final Contender contender;
    private final Load load;
    private final Source source = new Source(0);
    private final Tally tally = Tally.remembering();
    private Place place;

    FilledTrial(Contender contender, Load load) {
        this.contender = contender;
        this.load = load;
    }

    /**
     * What waits.
     *
     * @param words the setting in words
     * @param waiting how many messages wait in every round
     * @param once how many waited before the first
     * @param batch how many are pushed and taken at a time
     */
    record Load(String words, long waiting, long once, int batch) {

        /** How many are at most not taken yet, while messages are pushed and taken. */
        long most() {
            return waiting + beside();
        }

        long beside() {
            return (long) BATCHES_BESIDE * batch;
        }
    }

    @Override
    public Setting setting() {
        return new Setting(1, load.batch(), load.words());
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
        try (Subject subject =
                contender.open(place, new Plan(load.once() + load.once() / 5 + load.beside(), 1))) {
            fill(subject);
            empty(subject);
            Measured measured =
                    new Flow(subject, List.of(source), List.of(tally), load.batch(), load.batch())
                            .ahead(load.most() - load.batch())
                            .run(timing, false);
            check(subject);
            return measured.withoutLatencies();
        }
    }

    private void fill(Subject subject) throws Exception {
        while (source.count() < load.once() || waiting() < load.waiting()) {
            subject.push(source.next(load.batch()));
            source.pushed(load.batch());
        }
    }

    private void empty(Subject subject) throws Exception {
        while (waiting() > load.most()) {
            subject.take(0, load.batch(), tally);
            tally.settle();
        }
        subject.finish(0);
    }

    private long waiting() {
        return source.count() - tally.count();
    }

    private void check(Subject subject) throws Exception {
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
    }

    @Override
    public void close() {
        if (place != null) {
            place.close();
        }
    }
}
