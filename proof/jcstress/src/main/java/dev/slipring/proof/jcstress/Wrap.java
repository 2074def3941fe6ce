// SPDX-License-Identifier: Apache-2.0
package dev.slipring.proof.jcstress;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;

import dev.slipring.ring.MCSequence;
import dev.slipring.ring.MPSequence;
import dev.slipring.ring.RingQueue;
import dev.slipring.ring.SCSequence;
import dev.slipring.ring.SPSequence;
import dev.slipring.ring.Sequence;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.III_Result;

/** Laps of a small ring: what a shared sequence has stamped counts for one lap only. */
public class Wrap {

    private static final int LAPS = 4;

    /** A slot: the message, and what a worker made of it. */
    private static final class Slot {
        int message;
        int work;
    }

    /** Two threads, each a producer and a worker: all messages are taken once, as written. */
    @JCStressTest
    @Outcome(id = "0, 0, 120", expect = ACCEPTABLE, desc = "none wrong, and all there")
    @State
    public static class OfProducersAndWorkers {

        private static final int EACH = 2 * LAPS;

        private final RingQueue<Slot> queue = new RingQueue<>(Slot::new, 2);
        private final MPSequence a = new MPSequence(2);
        private final MCSequence b = new MCSequence(2);

        /** Wires. */
        public OfProducersAndWorkers() {
            a.then(b).then(a);
            b.next();
        }

        /** Produces and works. */
        @Actor
        public void one(III_Result result) {
            long taken = work();
            result.r1 = wrong(taken);
            // The arbiter adds it up; each thread has a field of its own.
            oneTook = sum(taken);
        }

        /** Produces and works too. */
        @Actor
        public void other(III_Result result) {
            long taken = work();
            result.r2 = wrong(taken);
            otherTook = sum(taken);
        }

        private int oneTook;
        private int otherTook;

        private long work() {
            long start = System.nanoTime();
            long taken = 0;
            for (int pushed = 0; pushed < EACH && !Patience.isLost(start); ) {
                pushed += push(a, queue);
                taken += take();
            }
            return taken;
        }

        /** Takes a message; returns a large number more if it is not what was written. */
        private long take() {
            long cursor = b.next();
            if (cursor < 0) {
                return 0;
            }
            int message = queue.get(cursor).message;
            b.done(cursor);
            return message + (message == cursor ? 0 : 1L << 32);
        }

        private static int wrong(long taken) {
            return (int) (taken >> 32);
        }

        private static int sum(long taken) {
            return (int) taken;
        }

        /** Takes what is left. */
        @Arbiter
        public void all(III_Result result) {
            long left = take() + take();
            result.r1 += wrong(left);
            result.r3 = oneTook + otherTook + sum(left);
        }
    }

    /**
     * Two workers, and a stage that follows them: it sees all messages in order, each after a
     * worker's work.
     */
    @JCStressTest
    @Outcome(id = "0, 0, 28", expect = ACCEPTABLE, desc = "none wrong, and all there")
    @State
    public static class OfWorkersInBetween {

        private static final int ALL = 2 * LAPS;

        private final RingQueue<Slot> queue = new RingQueue<>(Slot::new, 2);
        private final SPSequence a = new SPSequence(2);
        private final MCSequence b = new MCSequence(2);
        private final SCSequence c = new SCSequence();

        /** Wires. */
        public OfWorkersInBetween() {
            a.then(b).then(c).then(a);
            c.next();
        }

        /** Produces and works. */
        @Actor
        public void producer(III_Result result) {
            long start = System.nanoTime();
            for (int pushed = 0; pushed < ALL && !Patience.isLost(start); ) {
                pushed += push(a, queue);
                result.r1 += work();
            }
        }

        /** Works and follows. */
        @Actor
        public void follower(III_Result result) {
            long start = System.nanoTime();
            int sum = 0;
            for (int seen = 0; seen < ALL && !Patience.isLost(start); ) {
                result.r2 += work();
                long cursor = c.next();
                if (cursor >= 0) {
                    Slot slot = queue.get(cursor);
                    result.r2 += slot.work == -seen && cursor == seen ? 0 : 1;
                    sum -= slot.work;
                    c.done(cursor);
                    seen++;
                }
            }
            result.r3 = sum;
        }

        private int work() {
            long cursor = b.next();
            if (cursor < 0) {
                return 0;
            }
            Slot slot = queue.get(cursor);
            int wrong = slot.message == cursor ? 0 : 1;
            slot.work = -slot.message;
            b.done(cursor);
            return wrong;
        }
    }

    private static int push(Sequence producer, RingQueue<Slot> queue) {
        long cursor = producer.next();
        if (cursor < 0) {
            return 0;
        }
        queue.get(cursor).message = (int) cursor;
        producer.done(cursor);
        return 1;
    }
}
