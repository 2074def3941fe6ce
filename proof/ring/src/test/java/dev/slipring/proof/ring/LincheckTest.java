// SPDX-License-Identifier: Apache-2.0
package dev.slipring.proof.ring;

import dev.slipring.ring.MCSequence;
import dev.slipring.ring.MPSequence;
import dev.slipring.ring.RingQueue;
import dev.slipring.ring.SCSequence;
import dev.slipring.ring.SPSequence;
import dev.slipring.ring.Sequence;

import org.jetbrains.lincheck.datastructures.ModelCheckingOptions;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.StressOptions;
import org.junit.jupiter.api.Test;

import java.util.ArrayDeque;
import java.util.Deque;

/** Under every schedule, sequences behave like a simple sequential model. */
class LincheckTest {

    private static final int CAPACITY = 2;

    /** One producer, one consumer: a bounded queue, exact at both ends. */
    public static class OneToOne {

        private final RingQueue<int[]> queue = new RingQueue<>(() -> new int[1], CAPACITY);
        private final SPSequence producer = new SPSequence(CAPACITY);
        private final SCSequence consumer = new SCSequence();

        /** Wires. */
        public OneToOne() {
            producer.then(consumer).then(producer);
            consumer.next();
        }

        /** Pushes; false if the ring is full. */
        @Operation(nonParallelGroup = "producer")
        public boolean push(int value) {
            long cursor = producer.next();
            if (cursor < 0) {
                return false;
            }
            queue.get(cursor)[0] = value;
            producer.done(cursor);
            return true;
        }

        /** Pops; null if there is nothing. */
        @Operation(nonParallelGroup = "consumer")
        public Integer pop() {
            long cursor = consumer.next();
            if (cursor < 0) {
                return null;
            }
            int value = queue.get(cursor)[0];
            consumer.done(cursor);
            return value;
        }
    }

    /** The model of {@link OneToOne} and {@link ManyToMany}. */
    public static class BoundedQueue {

        private final Deque<Integer> queue = new ArrayDeque<>();

        /** Pushes. */
        public boolean push(int value) {
            return queue.size() < CAPACITY && queue.add(value);
        }

        /** Pops. */
        public Integer pop() {
            return queue.poll();
        }
    }

    /**
     * Producers and workers that go round the ring. A push or a pop takes effect when it claims its
     * index. A thread that finds nothing while another one is between its claim and its end waits
     * for that one.
     */
    public static class ManyToMany {

        private final RingQueue<int[]> queue = new RingQueue<>(() -> new int[1], CAPACITY);
        private final MPSequence producers = new MPSequence(CAPACITY);
        private final MCSequence workers = new MCSequence(CAPACITY);

        /** Wires. */
        public ManyToMany() {
            producers.then(workers).then(producers);
            workers.next();
        }

        /** Pushes; false if the ring is full. */
        @Operation
        public boolean push(int value) {
            long cursor = again(() -> producers.next());
            while (cursor < 0) {
                long claimed = producers.current();
                if (claimed - workers.current() >= CAPACITY) {
                    return false;
                }
                cursor = again(() -> producers.next());
            }
            queue.get(cursor)[0] = value;
            producers.done(cursor);
            return true;
        }

        /** Pops; null if there is nothing. */
        @Operation
        public Integer pop() {
            long cursor = again(() -> workers.next());
            while (cursor < 0) {
                long claimed = workers.current();
                if (producers.current() <= claimed) {
                    return null;
                }
                cursor = again(() -> workers.next());
            }
            int value = queue.get(cursor)[0];
            workers.done(cursor);
            return value;
        }
    }

    /** Claims of several producers, and the end of the stream. */
    public static class Claims {

        private final MPSequence producer = new MPSequence(CAPACITY);

        /** Wires; the consumer does nothing. */
        public Claims() {
            producer.then(new SCSequence()).then(producer);
            producer.current();
        }

        /** Claims one. */
        @Operation
        public long claim() {
            return again(() -> producer.next());
        }

        /** Claims two. */
        @Operation
        public long claimBoth() {
            return again(() -> producer.next(2));
        }

        /** Ends. */
        @Operation
        public void close() {
            producer.close();
        }
    }

    /** The model of {@link Claims}. */
    public static class Counter {

        private long claimed = -1;
        private boolean closed;

        /** Claims one. */
        public long claim() {
            return claim(1);
        }

        /** Claims two. */
        public long claimBoth() {
            return claim(2);
        }

        private long claim(int n) {
            if (closed) {
                return Sequence.CLOSED;
            }
            if (claimed + n >= CAPACITY) {
                return Sequence.NONE;
            }
            claimed += n;
            return claimed - n + 1;
        }

        /** Ends. */
        public void close() {
            closed = true;
        }
    }

    /** Workers that share what one producer publishes, with room for all of it. */
    public static class Pool {

        private static final int ROOM = 64;

        private final SPSequence producer = new SPSequence(ROOM);
        private final MCSequence workers = new MCSequence(ROOM);

        /** Wires. */
        public Pool() {
            producer.then(workers).then(producer);
            workers.next();
        }

        /** Publishes. */
        @Operation(nonParallelGroup = "producer")
        public void publish() {
            producer.done(producer.next());
        }

        /** Takes the next. */
        @Operation
        public long take() {
            long cursor = again(() -> workers.next());
            if (cursor >= 0) {
                workers.done(cursor);
            }
            return cursor;
        }
    }

    /** The model of {@link Pool}. */
    public static class Counters {

        private long published;
        private long taken;

        /** Publishes. */
        public void publish() {
            published++;
        }

        /** Takes the next. */
        public long take() {
            return taken < published ? taken++ : Sequence.NONE;
        }
    }

    /** Asks. */
    interface Ask {
        long next();
    }

    private static long again(Ask ask) {
        long cursor = ask.next();
        while (cursor == Sequence.LOST) {
            cursor = ask.next();
        }
        return cursor;
    }

    private static void check(Class<?> subject, Class<?> model) {
        new ModelCheckingOptions()
                .iterations(20)
                .invocationsPerIteration(300)
                .threads(2)
                .actorsPerThread(3)
                .sequentialSpecification(model)
                .check(subject);
        new StressOptions()
                .iterations(20)
                .invocationsPerIteration(1_000)
                .threads(2)
                .actorsPerThread(4)
                .sequentialSpecification(model)
                .check(subject);
    }

    @Test
    void oneToOneIsABoundedQueue() {
        check(OneToOne.class, BoundedQueue.class);
    }

    @Test
    void manyToManyIsABoundedQueue() {
        check(ManyToMany.class, BoundedQueue.class);
    }

    @Test
    void claimsAreACounter() {
        check(Claims.class, Counter.class);
    }

    @Test
    void aPoolTakesEachOnce() {
        check(Pool.class, Counters.class);
    }
}
