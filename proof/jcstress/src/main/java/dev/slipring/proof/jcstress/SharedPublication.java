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
import org.openjdk.jcstress.annotations.JCStressMeta;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;

/**
 * A thread that sees an index sees what was written to its slot, by whichever of the threads that
 * share a sequence.
 */
public class SharedPublication {

    /** What the thread that writes 43 may see, while another one writes 42. */
    @Outcome(id = "-1, -1", expect = ACCEPTABLE, desc = "the other is first, and not done")
    @Outcome(id = "-1, 42", expect = ACCEPTABLE, desc = "the other is first, and done at last")
    @Outcome(id = "42, 43", expect = ACCEPTABLE, desc = "the other is first, and done")
    @Outcome(id = "43, -1", expect = ACCEPTABLE, desc = "the other is second, and not done")
    @Outcome(id = "43, 42", expect = ACCEPTABLE, desc = "the other is second, and done")
    public interface Two {}

    /** Two producers, and a worker behind them. */
    @JCStressTest
    @JCStressMeta(Two.class)
    @State
    public static class ByProducers {

        private final RingQueue<int[]> queue = new RingQueue<>(() -> new int[1], 2);
        private final MPSequence a = new MPSequence(2);
        private final MCSequence b = new MCSequence(2);

        /** Wires. */
        public ByProducers() {
            a.then(b).then(a);
            b.next();
        }

        /** Produces. */
        @Actor
        public void one() {
            write(a, queue, 42);
        }

        /** Produces, and looks what can be seen. */
        @Actor
        public void other(II_Result result) {
            write(a, queue, 43);
            result.r1 = read(b, queue);
            result.r2 = read(b, queue);
        }
    }

    /** Two workers, and a stage behind them. */
    @JCStressTest
    @JCStressMeta(Two.class)
    @State
    public static class ByWorkers {

        private final RingQueue<int[]> queue = new RingQueue<>(() -> new int[1], 2);
        private final SPSequence a = new SPSequence(2);
        private final MCSequence b = new MCSequence(2);
        private final SCSequence c = new SCSequence();

        /** Wires, and publishes two. */
        public ByWorkers() {
            a.then(b).then(c).then(a);
            a.done(a.next());
            a.done(a.next());
        }

        /** Works. */
        @Actor
        public void one() {
            write(b, queue, 42);
        }

        /** Works, and looks what the stage behind can see. */
        @Actor
        public void other(II_Result result) {
            write(b, queue, 43);
            result.r1 = read(c, queue);
            result.r2 = read(c, queue);
        }
    }

    private static void write(Sequence sequence, RingQueue<int[]> queue, int value) {
        long cursor = sequence.next();
        while (cursor == Sequence.LOST) {
            cursor = sequence.next();
        }
        queue.get(cursor)[0] = value;
        sequence.done(cursor);
    }

    private static int read(Sequence sequence, RingQueue<int[]> queue) {
        long cursor = sequence.next();
        if (cursor < 0) {
            return (int) cursor;
        }
        int value = queue.get(cursor)[0];
        sequence.done(cursor);
        return value;
    }
}
