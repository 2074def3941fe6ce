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
import org.openjdk.jcstress.infra.results.I_Result;

/** A slot is not written again before the consumer is done with it. */
@JCStressTest
@Outcome(id = "1", expect = ACCEPTABLE, desc = "what was there")
@State
public class Reuse {

    private final RingQueue<int[]> queue = new RingQueue<>(() -> new int[1], 1);
    private final SPSequence a = new SPSequence(1);
    private final SCSequence b = new SCSequence();

    /** Fills the ring. */
    public Reuse() {
        a.then(b).then(a);
        queue.get(a.next())[0] = 1;
        a.done(0);
    }

    /** Produces again, if there is room. */
    @Actor
    public void producer() {
        long cursor = a.next();
        if (cursor >= 0) {
            queue.get(cursor)[0] = 2;
            a.done(cursor);
        }
    }

    /** Reads. */
    @Actor
    public void consumer(I_Result result) {
        long cursor = b.next();
        result.r1 = queue.get(cursor)[0];
        b.done(cursor);
    }
}
