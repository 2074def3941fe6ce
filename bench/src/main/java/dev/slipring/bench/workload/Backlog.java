// SPDX-License-Identifier: Apache-2.0
package dev.slipring.bench.workload;

import dev.slipring.bench.subject.Contender;
import dev.slipring.bench.subject.Target;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.LongStream;

/**
 * The cycle in batches of 1,000 while many messages wait: what is taken was pushed long ago. The
 * first queue is new and empty, and uses a few places again and again; through all others went once
 * as many messages as wait at most, also through one that is empty again.
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
        long once = Math.min(most, WAITING[WAITING.length - 1]);
        List<Trial> trials = new ArrayList<>();
        add(trials, target, new FilledTrial.Load("waiting 0", 0, 0, BATCH));
        LongStream.of(WAITING)
                .map(waiting -> Math.min(waiting, once))
                .distinct()
                .mapToObj(
                        waiting -> new FilledTrial.Load(words(waiting, once), waiting, once, BATCH))
                .forEach(load -> add(trials, target, load));
        return trials;
    }

    private static String words(long waiting, long once) {
        return "waiting " + waiting + (waiting == 0 ? " after " + once : "");
    }

    private static void add(List<Trial> trials, Target target, FilledTrial.Load load) {
        for (Contender contender : target.contenders()) {
            trials.add(new FilledTrial(contender, load));
        }
    }
}
