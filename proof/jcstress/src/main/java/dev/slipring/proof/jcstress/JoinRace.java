// SPDX-License-Identifier: Apache-2.0
package dev.slipring.proof.jcstress;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;

import dev.slipring.ring.FanOut;
import dev.slipring.ring.MCSequence;
import dev.slipring.ring.MPSequence;
import dev.slipring.ring.RingQueue;
import dev.slipring.ring.SCSequence;
import dev.slipring.ring.SPSequence;
import dev.slipring.ring.Sequence;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;

/**
 * A stage joins while a producer has read which sequences are its gates, but not yet how far they
 * are.
 */
public class JoinRace {

    /**
     * Another thread goes on behind the new gate before the producer reads how far the old gates
     * are.
     */
    @JCStressTest
    @Outcome(id = "1, 1", expect = ACCEPTABLE, desc = "in order, and within the ring")
    @State
    public static class OfTwoProducers {

        private final RingQueue<long[]> queue = new RingQueue<>(() -> new long[1], 2);
        private final MPSequence a = new MPSequence(2);
        private final FanOut fanOut = new FanOut();
        private final MCSequence b = new MCSequence(2);

        /** Wires. */
        public OfTwoProducers() {
            a.then(fanOut).then(a);
            push();
        }

        private boolean push() {
            long cursor = a.next();
            while (cursor == Sequence.LOST) {
                cursor = a.next();
            }
            if (cursor >= 0) {
                queue.get(cursor)[0] = cursor;
                a.done(cursor);
            }
            return cursor >= 0;
        }

        /** Produces as long as there is room, some laps at most. */
        @Actor
        public void producer() {
            for (int i = 0; i < 8 && push(); i++) {}
        }

        /** Joins, produces, and reads. */
        @Actor
        public void consumer(II_Result result) {
            fanOut.and(b);
            long joined = b.current();
            push();
            long cursor = b.next();
            result.r1 =
                    cursor < 0 || cursor == joined + 1 && queue.get(cursor)[0] == cursor ? 1 : 0;
            result.r2 = a.current() - joined <= 2 ? 1 : 0;
        }
    }

    /** The stage that the new one follows goes on meanwhile, and so does the old gate. */
    @JCStressTest
    @Outcome(id = "1, 1", expect = ACCEPTABLE, desc = "in order, and within the ring")
    @State
    public static class BehindAStage {

        private final RingQueue<long[]> queue = new RingQueue<>(() -> new long[1], 1);
        private final SPSequence a = new SPSequence(1);
        private final SCSequence b = new SCSequence();
        private final SCSequence late = new SCSequence();

        /** Wires; the ring is full. */
        public BehindAStage() {
            a.then(b).then(a);
            a.done(a.next());
        }

        /** Produces again, if there is room. */
        @Actor
        public void producer() {
            for (int i = 0; i < 200; i++) {
                long cursor = a.next();
                if (cursor >= 0) {
                    queue.get(cursor)[0] = cursor;
                    a.done(cursor);
                }
            }
        }

        /** Joins behind a stage that goes on. */
        @Actor
        public void consumer(II_Result result) {
            a.join(b, late);
            b.done(b.next());
            long joined = late.current();
            long cursor = late.next();
            result.r1 = cursor < 0 || queue.get(cursor)[0] == cursor ? 1 : 0;
            result.r2 = a.current() - joined <= 1 ? 1 : 0;
        }
    }
}
