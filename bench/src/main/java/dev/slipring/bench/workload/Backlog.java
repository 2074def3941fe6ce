// SPDX-License-Identifier: Apache-2.0
package dev.slipring.bench.workload;

import dev.slipring.bench.subject.Contender;
import dev.slipring.bench.subject.Target;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.LongStream;

/**
 * The cycle in batches of 1,000 while many messages wait: what is taken was pushed long ago.
 *
 * <pre>
 *     1 thread, push 1,000 --&gt; [ 5,000,000 waiting ] --&gt; 1 worker, claim 1,000, done
 * </pre>
 *
 * The system property {@code slipring.bench.waiting} says how many are to wait at most.
 */
final class Backlog implements Workload {

    /** Says how many messages are to wait at most. */
    private static final String MOST_WAITING = "slipring.bench.waiting";

    private static final long[] WAITING = {0, 100_000, 5_000_000};
    private static final int BATCH = 1000;

    @Override
    public String name() {
        return "backlog";
    }

    @Override
    public List<Trial> trials(Target target) {
        long most = Math.min(target.mostWaiting(), Long.getLong(MOST_WAITING, Long.MAX_VALUE));
        List<Trial> trials = new ArrayList<>();
        LongStream.of(WAITING)
                .map(waiting -> Math.min(waiting, most))
                .distinct()
                .forEach(
                        waiting -> {
                            for (Contender contender : target.contenders()) {
                                trials.add(new FilledTrial(contender, waiting, BATCH));
                            }
                        });
        return trials;
    }
}
