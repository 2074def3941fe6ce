// SPDX-License-Identifier: Apache-2.0
package dev.slipring.proof.jcstress;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE_INTERESTING;

import dev.slipring.ring.MCSequence;
import dev.slipring.ring.MPSequence;
import dev.slipring.ring.Range;
import dev.slipring.ring.SCSequence;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.III_Result;
import org.openjdk.jcstress.infra.results.II_Result;

/** No index is claimed by two threads, and none is lost. */
public class Claims {

    /**
     * Producers claim ranges and finish them in any order; a consumer sees the part without a gap.
     */
    @JCStressTest
    @Outcome(id = "0, 2, 5", expect = ACCEPTABLE, desc = "first, second")
    @Outcome(id = "3, 0, 5", expect = ACCEPTABLE, desc = "second, first")
    @Outcome(id = "0, -2, 2", expect = ACCEPTABLE_INTERESTING, desc = "the second lost")
    @Outcome(id = "-2, 0, 3", expect = ACCEPTABLE_INTERESTING, desc = "the first lost")
    @State
    public static class OfProducers {

        private final MPSequence a = new MPSequence(8);
        private final MCSequence b = new MCSequence(8);

        /** Wires. */
        public OfProducers() {
            a.then(b).then(a);
            b.next();
        }

        /** Claims two. */
        @Actor
        public void one(III_Result result) {
            result.r1 = produce(2);
        }

        /** Claims three. */
        @Actor
        public void other(III_Result result) {
            result.r2 = produce(3);
        }

        private int produce(int n) {
            long first = a.next(n);
            if (first >= 0) {
                a.done(first, first + n - 1);
            }
            return (int) first;
        }

        /** Counts what can be seen. */
        @Arbiter
        public void seen(III_Result result) {
            // The number of finished indexes tells which producer lost: two if the second did,
            // three if the first did.
            Range range = new Range();
            result.r3 = b.next(range, 8) < 0 ? 0 : range.size();
        }
    }

    /** Consumers share what there is. */
    @JCStressTest
    @Outcome(id = "0, 1", expect = ACCEPTABLE, desc = "first, second")
    @Outcome(id = "1, 0", expect = ACCEPTABLE, desc = "second, first")
    @Outcome(id = "0, -2", expect = ACCEPTABLE_INTERESTING, desc = "the second lost")
    @Outcome(id = "-2, 0", expect = ACCEPTABLE_INTERESTING, desc = "the first lost")
    @State
    public static class OfConsumers {

        private final MPSequence a = new MPSequence(8);
        private final MCSequence b = new MCSequence(8);

        /** Wires, and publishes two. */
        public OfConsumers() {
            a.then(b).then(a);
            a.done(a.next(2), 1);
        }

        /** Claims. */
        @Actor
        public void one(II_Result result) {
            result.r1 = (int) b.next();
        }

        /** Claims, too. */
        @Actor
        public void other(II_Result result) {
            result.r2 = (int) b.next();
        }
    }

    /** A claim before the end is delivered, one after it is refused. */
    @JCStressTest
    @Outcome(id = "0, 1, 0", expect = ACCEPTABLE, desc = "claimed, then closed")
    @Outcome(id = "-3, 1, -3", expect = ACCEPTABLE, desc = "closed, then refused")
    @Outcome(id = "-2, 1, -3", expect = ACCEPTABLE_INTERESTING, desc = "lost to the end")
    @State
    public static class AndTheEnd {

        private final MPSequence a = new MPSequence(8);
        private final MCSequence b = new MCSequence(8);

        /** Wires. */
        public AndTheEnd() {
            a.then(b).then(a);
            b.next();
        }

        /** Claims. */
        @Actor
        public void producer(III_Result result) {
            long cursor = a.next();
            if (cursor >= 0) {
                a.done(cursor);
            }
            result.r1 = (int) cursor;
        }

        /** Ends. */
        @Actor
        public void closer(III_Result result) {
            a.close();
            result.r2 = 1;
        }

        /** Sees the message, or the end. */
        @Arbiter
        public void seen(III_Result result) {
            result.r3 = (int) b.next();
        }
    }

    /**
     * A consumer that gets a range gets a range that is not empty, even if everything stops
     * meanwhile.
     */
    @JCStressTest
    @Outcome(id = "0, 2", expect = ACCEPTABLE, desc = "claimed, then stopped")
    @Outcome(id = "-3, 0", expect = ACCEPTABLE, desc = "stopped")
    @State
    public static class AndTheStop {

        private final MPSequence a = new MPSequence(8);
        private final SCSequence b = new SCSequence();

        /** Wires, publishes two, and has the consumer look. */
        public AndTheStop() {
            a.then(b).then(a);
            a.done(a.next(2), 1);
            b.next();
        }

        /** Claims. */
        @Actor
        public void consumer(II_Result result) {
            Range range = new Range();
            result.r1 = (int) b.next(range, 8);
            result.r2 = range.size();
        }

        /** Stops. */
        @Actor
        public void stopper() {
            a.stop(null);
        }
    }
}
