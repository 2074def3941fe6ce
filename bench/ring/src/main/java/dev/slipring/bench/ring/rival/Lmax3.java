// SPDX-License-Identifier: Apache-2.0
package dev.slipring.bench.ring.rival;

import dev.slipring.bench.disruptor3.Pool;
import dev.slipring.bench.ring.contest.Contestant;
import dev.slipring.bench.ring.contest.Load;
import dev.slipring.bench.ring.contest.Outcome;
import dev.slipring.bench.ring.contest.Shape;

import java.util.List;

/** The worker pool of LMAX Disruptor 3, with one of its wait strategies. */
public final class Lmax3 implements Contestant {

    private final String wait;

    /** The pool; waits yielding, sleeping or blocking. */
    public Lmax3(String wait) {
        this.wait = wait;
    }

    @Override
    public String name() {
        return "disruptor3-" + wait;
    }

    @Override
    public boolean can(Shape shape) {
        return shape.producers() == 1 && shape.stages() == 1 && shape.hasPool();
    }

    @Override
    public Outcome run(Shape shape, Load load) throws Exception {
        long[] run = Pool.run(wait, load.capacity(), shape.pool(), load.messages());
        return new Outcome(run[0], List.of(run[1]), List.of(0.0));
    }
}
