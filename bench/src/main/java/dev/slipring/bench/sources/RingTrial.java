// SPDX-License-Identifier: Apache-2.0
package dev.slipring.bench.sources;

import dev.slipring.bench.load.Checksum;
import dev.slipring.bench.load.Flow;
import dev.slipring.bench.load.Measured;
import dev.slipring.bench.load.Source;
import dev.slipring.bench.load.Tally;
import dev.slipring.bench.load.Timing;
import dev.slipring.bench.sources.SourceEngine.Relaxed;
import dev.slipring.bench.subject.Contender;
import dev.slipring.bench.subject.Place;
import dev.slipring.bench.subject.Plan;
import dev.slipring.bench.subject.Subject;
import dev.slipring.bench.subject.Target;
import dev.slipring.bench.workload.Setting;
import dev.slipring.bench.workload.Trial;

import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;

/**
 * The ring beside the texts' queues: threads of this process push to it one by one, and one worker
 * claims.
 *
 * @param target where the ring is
 * @param contender the ring
 */
record RingTrial(SourceEngine engine, Target target, Contender contender, Experiment experiment)
        implements Trial {

    private static final int MOST = 100;

    @Override
    public Setting setting() {
        return new Setting(experiment.threads(), 1, experiment.what());
    }

    @Override
    public String warning() {
        return experiment.synced() ? "" : engine.warning(target);
    }

    @Override
    public Measured run(Timing timing) throws Exception {
        try (Place place = contender.place();
                Relaxed relaxed =
                        experiment.synced() ? Relaxed.FOR_GOOD : engine.relax(place::connect);
                Subject subject = contender.open(place, new Plan(experiment.slots(), 1))) {
            return move(subject, timing);
        }
    }

    private Measured move(Subject subject, Timing timing) throws Exception {
        List<Source> sources =
                IntStream.range(0, experiment.threads()).mapToObj(Source::new).toList();
        Tally tally = new Tally();
        List<Tally> taking = experiment.pops() ? List.of(tally) : List.of();
        Flow flow = new Flow(subject, sources, taking, 1, MOST);
        Measured measured;
        if (experiment.isWatched()) {
            Duration whole = timing.ramp().plus(timing.window());
            measured = WhereTimeGoes.during(target, whole, () -> flow.run(timing, true));
        } else {
            // Without pops, all that is pushed has to find room.
            Timing bounded =
                    experiment.pops() ? timing : new Timing(timing.ramp(), timing.window());
            measured = flow.run(bounded, experiment.pops());
        }
        long pushed = sources.stream().mapToLong(Source::count).sum();
        Flow.drain(subject, tally, MOST, pushed);
        Checksum.all(sources, List.of(tally));
        return measured.withoutLatencies();
    }
}
