// SPDX-License-Identifier: Apache-2.0
package dev.slipring.proof.jcstress;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;

import dev.slipring.ring.FanOut;
import dev.slipring.ring.MCSequence;
import dev.slipring.ring.MPSequence;
import dev.slipring.ring.RingQueue;
import dev.slipring.ring.SCSequence;
import dev.slipring.ring.Sequence;
import dev.slipring.ring.Waiting;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.III_Result;
import org.openjdk.jcstress.infra.results.II_Result;

/** Pools and chains join and leave while several producers go on. */
public class SharedJoin {

    /** Producers of a ring of two slots; the first index is claimed and not finished. */
    private static class Producers {

        final RingQueue<long[]> queue = new RingQueue<>(() -> new long[1], 2);
        final MPSequence a = new MPSequence(2);
        final FanOut fanOut = new FanOut();

        Producers() {
            a.then(fanOut).then(a);
            a.next();
        }

        /**
         * Produces as long as there is room, some laps at most; each claim comes before the one
         * before it is finished.
         */
        void goOn() {
            long before = 0;
            for (int i = 0; i < 8; i++) {
                long cursor = a.next();
                queue.get(before)[0] = before;
                a.done(before);
                if (cursor < 0) {
                    return;
                }
                before = cursor;
            }
            queue.get(before)[0] = before;
            a.done(before);
        }

        /**
         * Whether a stage that has seen {@code joined} may see {@code cursor} next, and sees what
         * was written there.
         */
        boolean isNext(long joined, long cursor) {
            return cursor == Sequence.NONE
                    || cursor == joined + 1 && queue.get(cursor)[0] == cursor;
        }
    }

    /** A pool joins: nothing that it has not seen yet is overwritten. */
    @JCStressTest
    @Outcome(id = "1, 1", expect = ACCEPTABLE, desc = "in order, and within the ring")
    @State
    public static class OfAPool {

        private final Producers producers = new Producers();
        private final MCSequence b = new MCSequence(2);

        /** Produces. */
        @Actor
        public void producer() {
            producers.goOn();
        }

        /** Joins and reads. */
        @Actor
        public void consumer(II_Result result) {
            producers.fanOut.and(b);
            long joined = b.current();
            result.r1 = producers.isNext(joined, b.next()) ? 1 : 0;
            result.r2 = producers.a.current() - joined <= 2 ? 1 : 0;
        }
    }

    /** A chain joins: its last stage is the gate, and sees what its first stage is done with. */
    @JCStressTest
    @Outcome(id = "1, 1, 1", expect = ACCEPTABLE, desc = "one after the other, within the ring")
    @State
    public static class OfAChain {

        private final Producers producers = new Producers();
        private final SCSequence b = new SCSequence();
        private final MCSequence c = new MCSequence(2);

        /** Produces. */
        @Actor
        public void producer() {
            producers.goOn();
        }

        /** Joins and reads. */
        @Actor
        public void consumer(III_Result result) {
            producers.fanOut.and(b.then(c));
            long joined = c.current();
            boolean early = c.next() >= 0;
            long cursor = b.next();
            result.r1 = !early && producers.isNext(joined, cursor) ? 1 : 0;
            if (cursor >= 0) {
                b.done(cursor);
            }
            result.r2 = c.next() == cursor && producers.isNext(joined, cursor) ? 1 : 0;
            result.r3 = producers.a.current() - joined <= 2 ? 1 : 0;
        }
    }

    /** A chain leaves while a producer waits for it. */
    @JCStressTest
    @Outcome(id = "2, -3, -3", expect = ACCEPTABLE, desc = "who waits goes on, the chain was told")
    @State
    public static class AndLeaveOfAChain {

        private final MPSequence a = new MPSequence(2);
        private final MCSequence b = new MCSequence(2);
        private final MCSequence c = new MCSequence(2);
        private final FanOut fanOut = FanOut.to(b.then(c));

        /** Wires; the ring is full, and the first stage of the chain has read half of it. */
        public AndLeaveOfAChain() {
            a.then(fanOut).then(a);
            a.done(a.next());
            a.done(a.next());
            b.done(b.next());
            a.waiting(Waiting.BLOCK);
        }

        /** Waits for room. */
        @Actor
        public void producer(III_Result result) {
            result.r1 = (int) Patience.waitFor(a);
        }

        /** Leaves. */
        @Actor
        public void leaver(III_Result result) {
            fanOut.remove(c);
            result.r2 = (int) b.next();
            result.r3 = (int) c.next();
        }
    }

    /** A pool leaves while one of its workers waits. */
    @JCStressTest
    @Outcome(id = "0, 1", expect = ACCEPTABLE, desc = "the message came first")
    @Outcome(id = "-3, 1", expect = ACCEPTABLE, desc = "the worker was told")
    @State
    public static class AndLeaveOfAPool {

        private final MPSequence a = new MPSequence(1);
        private final MCSequence b = new MCSequence(1);
        private final FanOut fanOut = FanOut.to(b);

        /** Wires. */
        public AndLeaveOfAPool() {
            a.then(fanOut).then(a);
            b.next();
            b.waiting(Waiting.BLOCK);
        }

        /** Waits. */
        @Actor
        public void worker(II_Result result) {
            result.r1 = (int) Patience.waitFor(b);
        }

        /** Fills the ring, lets the pool leave, and then has room. */
        @Actor
        public void leaver(II_Result result) {
            a.done(a.next());
            fanOut.remove(b);
            result.r2 = (int) a.next();
        }
    }
}
