// SPDX-License-Identifier: Apache-2.0
package dev.slipring.bench.workload;

import dev.slipring.bench.load.Pace;
import dev.slipring.bench.subject.Contender;
import dev.slipring.bench.subject.Plan;
import dev.slipring.bench.subject.Target;

import java.util.ArrayList;
import java.util.List;

/**
 * From push to handler, a message each millisecond, pushed by one thread or by sixteen in turn, as
 * the requests to a server would.
 *
 * <pre>
 *     1 or 16 threads, push 1 each ms --&gt; [ ring ] --&gt; 1 worker, handler
 * </pre>
 */
final class Latency implements Workload {

    private static final int[] THREADS = {1, 16};
    private static final Plan PLAN = new Plan(100_000, 1);

    @Override
    public String name() {
        return "latency";
    }

    @Override
    public List<Trial> trials(Target target) {
        List<Trial> trials = new ArrayList<>();
        for (int threads : THREADS) {
            for (Contender contender : target.contenders()) {
                Setting setting = new Setting(threads, 1, "1000 a second");
                trials.add(
                        new FreshTrial(
                                setting,
                                contender,
                                PLAN,
                                (subject, place, timing) ->
                                        new Pace(subject, threads, timing).run()));
            }
        }
        return trials;
    }
}
