// SPDX-License-Identifier: Apache-2.0
package dev.slipring.bench.workload;

import dev.slipring.bench.load.Business;
import dev.slipring.bench.subject.Contender;
import dev.slipring.bench.subject.JoinSubject;
import dev.slipring.bench.subject.Plan;
import dev.slipring.bench.subject.SqlPlace;
import dev.slipring.bench.subject.Target;

import java.util.ArrayList;
import java.util.List;

/**
 * Small transactions of a business, each of which also pushes a message: all or nothing. The rate
 * is that of the transactions, the latency how long one took. Where nobody takes, the baseline is
 * the same with a plain INSERT in the place of a push.
 *
 * <pre>
 *     16 threads: BEGIN, UPDATE, INSERT, push 1, COMMIT --&gt; [ ring ] --&gt; nobody, or 1 worker
 * </pre>
 */
final class Transactional implements Workload {

    private static final int THREADS = 16;

    /** A transaction keeps its lane to its end: with too few of them, one waits for another. */
    private static final Plan PLAN = new Plan(5_000_000, 1).lanes(2 * THREADS);

    @Override
    public String name() {
        return "transactional";
    }

    @Override
    public List<Trial> trials(Target target) {
        List<Trial> trials = new ArrayList<>();
        for (boolean taken : new boolean[] {false, true}) {
            for (Contender contender : target.joining()) {
                trials.add(
                        new FreshTrial(
                                new Setting(THREADS, 1, taken ? "1 worker" : "nobody takes"),
                                contender,
                                PLAN,
                                (subject, place, timing) ->
                                        new Business((JoinSubject) subject, (SqlPlace) place)
                                                .run(THREADS, taken, timing)));
            }
        }
        return trials;
    }
}
