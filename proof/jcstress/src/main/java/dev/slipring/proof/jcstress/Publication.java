// SPDX-License-Identifier: Apache-2.0
package dev.slipring.proof.jcstress;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;

import dev.slipring.ring.RingQueue;
import dev.slipring.ring.SCSequence;
import dev.slipring.ring.SPSequence;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;

/** A thread that sees an index sees what was written to its slot, along a chain of stages. */
@JCStressTest
@Outcome(id = "-1, -1", expect = ACCEPTABLE, desc = "nothing yet")
@Outcome(id = "42, 43", expect = ACCEPTABLE, desc = "the whole chain")
@State
public class Publication {

    private final RingQueue<int[]> queue = new RingQueue<>(() -> new int[1], 2);
    private final SPSequence a = new SPSequence(2);
    private final SCSequence b = new SCSequence();
    private final SCSequence c = new SCSequence();

    /** Wires. */
    public Publication() {
        a.then(b).then(c).then(a);
        c.next();
    }

    /** Produces. */
    @Actor
    public void producer() {
        long cursor = a.next();
        queue.get(cursor)[0] = 42;
        a.done(cursor);
    }

    /** Runs a stage, and then the stage that follows it. */
    @Actor
    public void stages(II_Result result) {
        long cursor = b.next();
        if (cursor >= 0) {
            result.r1 = queue.get(cursor)[0]++;
            b.done(cursor);
        } else {
            result.r1 = -1;
        }
        cursor = c.next();
        result.r2 = cursor < 0 ? -1 : queue.get(cursor)[0];
    }
}
