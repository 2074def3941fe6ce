// SPDX-License-Identifier: Apache-2.0
package dev.slipring.bench.sources;

import dev.slipring.bench.subject.Contender;
import dev.slipring.bench.subject.Place;
import dev.slipring.bench.subject.Plan;
import dev.slipring.bench.subject.Subject;
import dev.slipring.bench.subject.Target;
import dev.slipring.bench.workload.Trial;
import dev.slipring.bench.workload.Workload;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * The texts' queues and the ring, with different numbers of threads, and with all else that the
 * texts vary. The texts' queues work in procedures of the server, without round trips, and on
 * SQLite in this process. Threads of this process push to the ring and claim from it.
 */
public final class Sources implements Workload {

    /** How many threads push if the number of threads does not vary. */
    private static final int THREADS = 8;

    /**
     * The workloads: all numbers of threads, those that show a trend, pushes alone, and what else
     * the texts vary.
     */
    public static final List<Workload> ALL =
            List.of(
                    new Sources("sources", over(1, 2, 4, 8, 16, 32).map(Experiment::plain)),
                    new Sources("sources-brief", over(1, 8, 32).map(Experiment::plain)),
                    new Sources("sources-pushes", over(1, 8, 32).map(Experiment::pushes)),
                    new Sources(
                            "sources-axes",
                            Stream.of(
                                    Experiment.plain(THREADS),
                                    Experiment.withHeadStart(THREADS),
                                    Experiment.popsOfMany(THREADS),
                                    Experiment.manySlots(THREADS),
                                    Experiment.unsynced(THREADS))));

    private final String name;
    private final List<Experiment> experiments;

    private Sources(String name, Stream<Experiment> experiments) {
        this.name = name;
        this.experiments = experiments.toList();
    }

    private static Stream<Integer> over(int... threads) {
        return IntStream.of(threads).boxed();
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public List<Trial> trials(Target target) {
        SourceEngine engine = SourceEngine.of(target.engine());
        List<Trial> trials = new ArrayList<>();
        for (Experiment experiment : experiments) {
            Target where = experiment.synced() ? target : target.relaxed();
            Contender slipring = where.contenders().get(0);
            for (SourceSystem system : engine.systems(experiment.slots())) {
                Contender named = new Named(system.name());
                trials.add(new SourcesTrial(engine, where, slipring, system, named, experiment));
            }
            trials.add(new RingTrial(engine, where, slipring, experiment));
        }
        return trials;
    }

    /** A system that has no client of its own. */
    private record Named(String system) implements Contender {

        @Override
        public Place place() {
            throw new UnsupportedOperationException(system);
        }

        @Override
        public Subject open(Place place, Plan plan) {
            throw new UnsupportedOperationException(system);
        }
    }
}
