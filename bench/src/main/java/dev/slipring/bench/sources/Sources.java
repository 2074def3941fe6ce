// SPDX-License-Identifier: Apache-2.0
package dev.slipring.bench.sources;

import dev.slipring.bench.load.Checksum;
import dev.slipring.bench.load.Flow;
import dev.slipring.bench.load.Source;
import dev.slipring.bench.load.Tally;
import dev.slipring.bench.subject.Contender;
import dev.slipring.bench.subject.Place;
import dev.slipring.bench.subject.Plan;
import dev.slipring.bench.subject.ServerTarget;
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
 * without round trips; the ring is pushed to and claimed from by as many threads of this process.
 */
public final class Sources implements Workload {

    private static final int[] THREADS = {1, 2, 4, 8, 16, 32};
    private static final long SLOTS = 20_000;
    private static final int MOST = 100;

    /** The experiments. */
    public Sources() {}

    @Override
    public String name() {
        return "sources";
    }

    @Override
    public List<Trial> trials(Target target) {
        if (!(target instanceof ServerTarget server) || !server.engine().equals("mariadb")) {
            throw new IllegalArgumentException(
                    "the sources' experiments run in procedures and sequences of a MariaDB server;"
                            + " name one with --url mariadb://user:password@host:port/database");
        }
        List<Trial> trials = new ArrayList<>();
        for (int threads : THREADS) {
            for (SourceSystem system : SourceSystems.all(SLOTS)) {
                trials.add(
                        new SourcesTrial(
                                server::connection,
                                system,
                                new Setting(threads, 1, ""),
                                new Named(system.name()),
                                SLOTS,
                                true));
            }
            trials.add(ring(server, threads));
        }
        return trials;
    }

    private static Trial ring(ServerTarget server, int threads) {
        Contender slipring = server.contenders().get(0);
        return new FreshTrial(
                new Setting(threads, 1, ""),
                slipring,
                new Plan(SLOTS, 1),
                (subject, place, timing) -> {
                    List<Source> sources =
                            IntStream.range(0, threads).mapToObj(Source::new).toList();
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
