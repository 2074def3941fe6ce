// SPDX-License-Identifier: Apache-2.0
package dev.slipring.proof.jcstress;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;

import dev.slipring.ring.MCSequence;
import dev.slipring.ring.MPSequence;
import dev.slipring.ring.SCSequence;
import dev.slipring.ring.SPSequence;
import dev.slipring.ring.Waiting;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.JJ_Result;
import org.openjdk.jcstress.infra.results.J_Result;

/** A thread that waits is woken, along every kind of edge, even if all stages wait already. */
public class WakeUp {

    /** A stage waits for a stage. */
    @JCStressTest
    @Outcome(id = "0", expect = ACCEPTABLE, desc = "woken")
    @State
    public static class OfAStage {

        private final SPSequence a = new SPSequence(2);
        private final MCSequence b = new MCSequence(2);
        private final SCSequence c = new SCSequence();

        /** Wires; the first index is published. */
        public OfAStage() {
            a.then(b).then(c).then(a);
            a.done(a.next());
            c.waiting(Waiting.BLOCK);
        }

        /** Finishes its index, for which the second stage waits. */
        @Actor
        public void first() {
            b.done(b.next());
        }

        /** Waits. */
        @Actor
        public void second(J_Result result) {
            result.r1 = Patience.waitFor(c);
        }
    }

    /** A producer waits for room. */
    @JCStressTest
    @Outcome(id = "1", expect = ACCEPTABLE, desc = "woken")
    @State
    public static class OfAProducer {

        private final MPSequence a = new MPSequence(1);
        private final SCSequence b = new SCSequence();

        /** Wires; the ring is full. */
        public OfAProducer() {
            a.then(b).then(a);
            a.done(a.next());
            a.waiting(Waiting.BLOCK);
        }

        /** Makes room. */
        @Actor
        public void consumer() {
            b.done(b.next());
        }

        /** Waits. */
        @Actor
        public void producer(J_Result result) {
            result.r1 = Patience.waitFor(a);
        }
    }

    /** Two workers of a pool wait, and each is woken for a message of its own. */
    @JCStressTest
    @Outcome(id = "0, 1", expect = ACCEPTABLE, desc = "woken")
    @Outcome(id = "1, 0", expect = ACCEPTABLE, desc = "woken, the other way around")
    @State
    public static class OfAPool {

        private final SPSequence a = new SPSequence(2);
        private final MCSequence b = new MCSequence(2);

        /** Wires. */
        public OfAPool() {
            a.then(b).then(a);
            b.next();
            b.waiting(Waiting.BLOCK);
        }

        /** Publishes twice. */
        @Actor
        public void producer() {
            a.done(a.next());
            a.done(a.next());
        }

        /** Waits. */
        @Actor
        public void one(JJ_Result result) {
            result.r1 = Patience.waitFor(b);
        }

        /** Waits, too. */
        @Actor
        public void another(JJ_Result result) {
            result.r2 = Patience.waitFor(b);
        }
    }

    /** A consumer waits for what never comes. */
    @JCStressTest
    @Outcome(id = "-3", expect = ACCEPTABLE, desc = "told")
    @State
    public static class AtTheEnd {

        private final SPSequence a = new SPSequence(1);
        private final SCSequence b = new SCSequence();

        /** Wires. */
        public AtTheEnd() {
            a.then(b).then(a);
            b.next();
            b.waiting(Waiting.BLOCK);
        }

        /** Ends the stream. */
        @Actor
        public void producer() {
            a.close();
        }

        /** Waits. */
        @Actor
        public void consumer(J_Result result) {
            result.r1 = Patience.waitFor(b);
        }
    }
}
