// SPDX-License-Identifier: Apache-2.0
package dev.slipring.bench.sources;

import dev.slipring.bench.load.Checksum;
import dev.slipring.bench.load.Flow;
import dev.slipring.bench.load.Source;
import dev.slipring.bench.load.Tally;
import dev.slipring.bench.subject.Contender;
import dev.slipring.bench.subject.Place;
import dev.slipring.bench.subject.Plan;
import dev.slipring.bench.subject.Subject;
import dev.slipring.bench.subject.Target;
import dev.slipring.bench.workload.FreshTrial;
import dev.slipring.bench.workload.Setting;
import dev.slipring.bench.workload.Trial;
import dev.slipring.bench.workload.Workload;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;

/**
 * The texts' queues and the ring, over threads. The texts' queues work in procedures of the server,
 * without round trips, and in SQLite in this process; the ring is pushed to and claimed from by
 * threads of this process.
 */
public final class Sources implements Workload {

    /** All settings, and those that show a trend. */
    public static final List<Workload> ALL =
            List.of(
                    new Sources("sources", 1, 2, 4, 8, 16, 32),
                    new Sources("sources-brief", 1, 8, 32));

    private static final long SLOTS = 20_000;
    private static final int MOST = 100;

    private final String name;
    private final int[] threads;

    private Sources(String name, int... threads) {
        this.name = name;
        this.threads = threads;
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public List<Trial> trials(Target target) {
        SourceEngine engine = SourceEngine.of(target.engine());
        Contender slipring = target.contenders().get(0);
        List<Trial> trials = new ArrayList<>();
        for (int count : threads) {
            Setting setting = new Setting(count, 1, "");
            for (SourceSystem system : engine.systems(SLOTS)) {
                Contender named = new Named(system.name());
                trials.add(new SourcesTrial(engine, slipring, system, setting, named, SLOTS));
            }
            trials.add(ring(slipring, setting));
        }
        return trials;
    }

    private static Trial ring(Contender slipring, Setting setting) {
        return new FreshTrial(
                setting,
                slipring,
                new Plan(SLOTS, 1),
                (subject, place, timing) -> {
                    List<Source> sources =
                            IntStream.range(0, setting.threads()).mapToObj(Source::new).toList();
                    List<Tally> tallies = List.of(new Tally());
                    var measured = new Flow(subject, sources, tallies, 1, MOST).run(timing, true);
                    Checksum.all(sources, tallies);
                    return measured.withoutLatencies();
                });
    }

    /** A system that has no client of its own. */
    private record Named(String system) implements Contender {

        @Override
        public String option() {
            return "";
        }

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
