// SPDX-License-Identifier: Apache-2.0
package dev.slipring.proof.jcstress;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;

import dev.slipring.ring.FanOut;
import dev.slipring.ring.RingQueue;
import dev.slipring.ring.SCSequence;
import dev.slipring.ring.SPSequence;
import dev.slipring.ring.Waiting;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;

/** Stages join and leave while a producer goes on. */
public class JoinAndLeave {

    /** A stage that has joined is a gate: nothing that it has not seen yet is overwritten. */
    @JCStressTest
    @Outcome(id = "1, 1", expect = ACCEPTABLE, desc = "in order, and within the ring")
    @State
    public static class Join {

        private final RingQueue<long[]> queue = new RingQueue<>(() -> new long[1], 2);
        private final SPSequence a = new SPSequence(2);
        private final FanOut fanOut = new FanOut();
        private final SCSequence b = new SCSequence();

        /** Wires. */
        public Join() {
            a.then(fanOut).then(a);
            a.next();
        }

        /** Produces as long as there is room, some laps at most. */
        @Actor
        public void producer() {
            for (int i = 0; i < 8; i++) {
                long cursor = a.next();
                if (cursor < 0) {
                    return;
                }
                queue.get(cursor)[0] = cursor;
                a.done(cursor);
            }
        }

        /** Joins and reads. */
        @Actor
        public void consumer(II_Result result) {
            fanOut.and(b);
            long joined = b.current();
            result.r1 = 1;
            long cursor = b.next();
            if (cursor >= 0) {
                result.r1 = cursor == joined + 1 && queue.get(cursor)[0] == cursor ? 1 : 0;
            }
            result.r2 = a.current() - joined <= 2 ? 1 : 0;
        }
    }

    /** A producer that waits for a stage goes on when the stage leaves. */
    @JCStressTest
    @Outcome(id = "1, -3", expect = ACCEPTABLE, desc = "the producer went on, the stage was told")
    @State
    public static class Leave {

        private final SPSequence a = new SPSequence(1);
        private final SCSequence b = new SCSequence();
        private final FanOut fanOut = FanOut.to(b);

        /** Wires; the ring is full. */
        public Leave() {
            a.then(fanOut).then(a);
            a.done(a.next());
            a.waiting(Waiting.BLOCK);
        }

        /** Waits for room. */
        @Actor
        public void producer(II_Result result) {
            result.r1 = (int) Patience.waitFor(a);
        }

        /** Leaves. */
        @Actor
        public void leaver(II_Result result) {
            fanOut.remove(b);
            result.r2 = (int) b.next();
        }
    }
}
