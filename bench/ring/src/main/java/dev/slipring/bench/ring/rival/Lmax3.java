// SPDX-License-Identifier: Apache-2.0
package dev.slipring.bench.ring.rival;

import dev.slipring.bench.disruptor3.Pool;
import dev.slipring.bench.ring.contest.Contestant;
import dev.slipring.bench.ring.contest.Load;
import dev.slipring.bench.ring.contest.Outcome;
import dev.slipring.bench.ring.contest.Shape;
import dev.slipring.bench.ring.contest.Work;

import java.util.List;

/** The worker pool of LMAX Disruptor 3, alone or with a stage that follows it. */
public final class Lmax3 implements Contestant {

    /** The levels behind a pool that one stage follows. */
    private static final List<List<Integer>> FOLLOWED = List.of(List.of(1));

    private final String wait;

    /** The pool; waits yielding, sleeping, blocking or lite-blocking. */
    public Lmax3(String wait) {
        this.wait = wait;
    }

    @Override
    public String name() {
        return "disruptor3-" + wait;
    }

    @Override
    public boolean can(Shape shape) {
        return shape.producers() == 1
                && shape.pool() > 1
                && shape.levels().get(0).size() == 1
                && (shape.stages() == 1
                        || shape.levels().subList(1, shape.levels().size()).equals(FOLLOWED));
    }

    @Override
    public Outcome run(Shape shape, Load load) throws Exception {
        boolean isFollowed = shape.stages() > 1;
        int last = shape.levels().size() - 1;
        Pool.Run run =
                new Pool(wait, load.capacity(), shape.pool(), isFollowed)
                        .run(
                                load.messages(),
                                load.terms() == 0 ? null : value -> Work.slice(value, load.terms()),
                                load::await,
                                () -> load.pace() == null ? null : load.pace().gauge(last));
        return isFollowed
                ? new Outcome(
                        run.nanos(),
                        run.cpuNanos(),
                        List.of(run.sum(), run.followedSum()),
                        List.of(0.0, run.results()))
                : new Outcome(run.nanos(), run.cpuNanos(), List.of(run.sum()), List.of(0.0));
    }
}
