// SPDX-License-Identifier: Apache-2.0
package dev.slipring.bench.workload;

import dev.slipring.bench.load.Business;
import dev.slipring.bench.subject.Contender;
import dev.slipring.bench.subject.JoinSubject;
import dev.slipring.bench.subject.Plan;
import dev.slipring.bench.subject.PostgresPlace;
import dev.slipring.bench.subject.Target;

import java.util.ArrayList;
import java.util.List;

/**
 * Small transactions of a business, each of which also pushes a message: all or nothing. The rate
 * is that of the transactions, the latency how long one took. Without a worker, the baseline is the
 * same with a plain INSERT instead of a push.
 *
 * <pre>
 *     16 threads: BEGIN, UPDATE, INSERT, push 1, COMMIT --&gt; [ ring ] --&gt; nobody, or 1 worker
 * </pre>
 */
final class Transactional implements Workload {

    private static final int THREADS = 16;

    /**
     * Twice as many lanes as threads: a transaction keeps its lane to its end, and with too few
     * lanes one would wait for another.
     */
    private static final Plan PLAN = new Plan(5_000_000, 1).lanes(2 * THREADS);

    private static final String BY_DEFAULT = "nobody takes, lanes as by default";

    @Override
    public String name() {
        return "transactional";
    }

    @Override
    public List<Trial> trials(Target target) {
        List<Trial> trials = new ArrayList<>();
        for (Contender contender : target.joining()) {
            trials.add(trial("nobody takes", contender, PLAN, false));
        }
        for (Contender contender : target.joining()) {
            trials.add(trial(BY_DEFAULT, contender, PLAN.lanes(0), false));
        }
        for (Contender contender : target.joining()) {
            trials.add(trial("1 worker", contender, PLAN, true));
        }
        return trials;
    }

    private static Trial trial(String setting, Contender contender, Plan plan, boolean taken) {
        return new FreshTrial(
                new Setting(THREADS, 1, setting),
                contender,
                plan,
                (subject, place, timing) ->
                        new Business((JoinSubject) subject, (PostgresPlace) place)
                                .run(THREADS, taken, timing));
    }
}
