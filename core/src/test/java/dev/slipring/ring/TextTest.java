// SPDX-License-Identifier: Apache-2.0
package dev.slipring.ring;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;

/**
 * The snippets and graphs of "How we built inter-thread messaging from scratch" (QuestDB), in that
 * text's order, each between {@code text:} and {@code :text}. Two slips are mended: a parenthesis
 * that is missing, and an expression that is no statement.
 */
@Timeout(60)
class TextTest {

    /** A slot with a value, as the text's publisher writes it. */
    private static final class Slot {
        long value;
    }

    /** The special message at the end of a producer's stream; it adds nothing to a sum. */
    private static final long END = 0;

    /** Ends a loop without end. */
    private static final class WorkIsDone extends RuntimeException {
        private static final long serialVersionUID = 1L;
    }

    private static final int CAPACITY = 8;
    private static final long EACH = 20_000;

    private final RingQueue<Slot> queue = new RingQueue<>(Slot::new, CAPACITY);
    private final ExecutorService threads = Executors.newCachedThreadPool();
    private final AtomicLong published = new AtomicLong();
    private final AtomicLong consumed = new AtomicLong();
    private final AtomicLong sum = new AtomicLong();
    private final AtomicLong ends = new AtomicLong();
    private volatile long all;
    private volatile boolean running = true;

    @AfterEach
    void stop() {
        threads.shutdownNow();
    }

    // Sequences in a chain.

    @Test
    void chain() {
        Sequence a = new SPSequence(CAPACITY);
        Sequence b = new SCSequence();
        Sequence c = new SCSequence();
        Sequence d = new SCSequence();

        // text:
        a.then(b).then(c).then(d);
        // a -> b -> c -> d
        // :text
        d.then(a);

        assertThat(a.next()).isEqualTo(0);
        assertThat(b.next()).isEqualTo(-1);
        a.done(0);
        Sequence[] stages = {b, c, d};
        for (int i = 0; i < stages.length; i++) {
            assertThat(stages[i].next()).isEqualTo(0);
            if (i + 1 < stages.length) {
                assertThat(stages[i + 1].next()).isEqualTo(-1);
            }
            stages[i].done(0);
        }
    }

    // A branch.

    @Test
    void branch() {
        Sequence a = new SPSequence(CAPACITY);
        Sequence b = new SCSequence();
        Sequence c = new SCSequence();
        Sequence d = new SCSequence();

        // text:
        a.then(FanOut.to(b).and(c)).then(d);
        //      +--> B -->+
        // A -->|         |--> D
        //      +--> C -->+
        // :text
        d.then(a);

        a.done(a.next());
        b.done(b.next());
        assertThat(d.next()).isEqualTo(-1);
        c.done(c.next());
        assertThat(d.next()).isEqualTo(0);
    }

    // A branch in a branch.

    @Test
    void nestedFanOut() {
        Sequence a = new SPSequence(CAPACITY);
        Sequence b = new SCSequence();
        Sequence c = new SCSequence();
        Sequence d = new SCSequence();
        Sequence e = new SCSequence();
        Sequence f = new SCSequence();

        // text:
        a.then(FanOut.to(FanOut.to(b).and(c)).and(d.then(e))).then(f);
        //         +--> B -->+
        //     +-> |         |
        //     |   +--> C -->+
        // A-->|             |--> F
        //     |             |
        //     +-> D -> E -->+
        // :text
        f.then(a);

        a.done(a.next());
        assertThat(e.next()).isEqualTo(-1);
        d.done(d.next());
        e.done(e.next());
        b.done(b.next());
        assertThat(f.next()).isEqualTo(-1);
        c.done(c.next());
        assertThat(f.next()).isEqualTo(0);
    }

    // A place in a chain for threads that come and go.

    @Test
    void subscription() throws Exception {
        CyclicBarrier turn = new CyclicBarrier(2);

        // text:
        // You can add as many sequences into fan out as you like.
        // Sequences can be added either up front or subscribe/unsubscribe on the fly.
        FanOut fanOut = new FanOut();

        // ordinary producer sequence
        Sequence seqProducer = new SPSequence(queue.getCapacity());
        // daisy chain producer and fan out and loop back producer
        seqProducer.then(fanOut).then(seqProducer);

        // meanwhile in another thread ....
        // :text
        fill(seqProducer, 3 * CAPACITY);
        Future<?> other =
                threads.submit(
                        () -> {
                            // text:
                            // Add individual consumer sequences later as needed.
                            // This is thread safe non-blocking operation that can be performed
                            // from any thread.
                            // It is important to use current producer position as consumer
                            // starting point when subscribing on the fly.
                            Sequence consumer1 =
                                    fanOut.addAndGet(new SCSequence(seqProducer.current()));

                            // do something useful with consumer1 sequence
                            // :text
                            assertThat(consumer1.next()).isEqualTo(-1);
                            turn.await(30, TimeUnit.SECONDS);
                            turn.await(30, TimeUnit.SECONDS);
                            assertThat(consumer1.next()).isEqualTo(3 * CAPACITY);
                            assertThat(consumer1.current()).isEqualTo(3 * CAPACITY - 1);

                            // text:
                            // remove sequence from fanOut to unsubscribe
                            fanOut.remove(consumer1);
                            // :text
                            return null;
                        });
        turn.await(30, TimeUnit.SECONDS);
        fill(seqProducer, CAPACITY);
        assertThat(seqProducer.next()).isEqualTo(-1);
        turn.await(30, TimeUnit.SECONDS);
        other.get(30, TimeUnit.SECONDS);
        assertThat(seqProducer.next()).isEqualTo(4 * CAPACITY);
    }

    private static void fill(Sequence producer, int times) {
        for (int i = 0; i < times; i++) {
            producer.done(producer.next());
        }
    }

    // With a shared consumer a pool of workers.

    @Test
    void workerPool() throws Exception {
        Sequence A = new SPSequence(CAPACITY);
        Sequence B = new MCSequence(CAPACITY);
        // text:
        // A -> B -> A
        A.then(B).then(A);
        // :text
        run(A, 1, B, 3);
    }

    // With a shared producer too, many to many.

    @Test
    void manyToMany() throws Exception {
        Sequence A = new MPSequence(CAPACITY);
        Sequence B = new MCSequence(CAPACITY);
        A.then(B).then(A);
        run(A, 3, B, 3);
    }

    // How a thread publishes.

    private void publish(Sequence sequence) {
        long[] left = {EACH};
        try {
            // text:
            // loop until there is work to do
            // consumer thread may be able to rely on producer to
            // publish "special" message to indicate end of stream.
            while (true) {

                // Non-blocking call. Method returns immediately either with zero-based
                // ring queue index or negative long indicating one of following:
                // -1 = queue is empty
                // -2 = there was a contest for queue index and this thread has lost
                long cursor = sequence.next();
                if (cursor < 0) {
                    // negative cursor is an error
                    // thread has a choice of things to do:
                    // - busy spin
                    // - yield/park
                    // - work on something else
                    LockSupport.parkNanos(1);
                    continue;
                }

                // write to queue
                try {
                    queue.get(cursor).value = message(left, cursor);
                } finally {
                    // releasing cursor promptly is important
                    sequence.done(cursor);
                }
            }
            // :text
        } catch (WorkIsDone e) {
            // The last cursor was released with the special message.
        }
    }

    private long message(long[] left, long cursor) {
        if (left[0]-- == 0) {
            queue.get(cursor).value = END;
            throw new WorkIsDone();
        }
        return published.incrementAndGet();
    }

    // A consumer does the same, and reads where that writes.

    private void consume(Sequence sequence) {
        while (running) {
            long cursor = sequence.next();
            if (cursor < 0) {
                LockSupport.parkNanos(1);
                continue;
            }
            try {
                take(queue.get(cursor).value);
            } finally {
                sequence.done(cursor);
            }
        }
    }

    /** Adds up; who has all messages and the end of each producer ends the loops. */
    private void take(long value) {
        if (value == END) {
            ends.incrementAndGet();
        }
        sum.addAndGet(value);
        if (consumed.incrementAndGet() == all) {
            running = false;
        }
    }

    private void run(Sequence in, int producers, Sequence out, int consumers) throws Exception {
        all = (EACH + 1) * producers;
        List<Future<?>> loops = new ArrayList<>();
        for (int i = 0; i < consumers; i++) {
            loops.add(threads.submit(() -> consume(out)));
        }
        for (int i = 0; i < producers; i++) {
            loops.add(threads.submit(() -> publish(in)));
        }
        check(loops, producers);
    }

    private void check(List<Future<?>> loops, int producers) throws Exception {
        for (Future<?> loop : loops) {
            loop.get(30, TimeUnit.SECONDS);
        }
        long messages = EACH * producers;
        assertThat(published).hasValue(messages);
        assertThat(consumed).hasValue(all);
        assertThat(ends).hasValue(producers);
        assertThat(sum).hasValue(messages * (messages + 1) / 2);
    }

    // A batch.

    /** The queue, whose elements are looked at by getting them. */
    private final class LookedAt {
        private void get(long cursor) {
            take(TextTest.this.queue.get(cursor).value);
        }
    }

    @Test
    void batches() throws Exception {
        Sequence producer = new SPSequence(CAPACITY);
        Sequence consumer = new SCSequence();
        producer.then(consumer).then(producer);
        all = EACH + 1;
        Future<?> other = threads.submit(() -> lookInBatches(new LookedAt(), consumer));
        check(List.of(threads.submit(() -> publish(producer)), other), 1);
    }

    private void lookInBatches(LookedAt queue, Sequence sequence) {
        // text:
        while (running) {
            long cursor = sequence.next();

            if (cursor < 0) {
                LockSupport.parkNanos(1);
                continue;
            }

            // get max index sequence can reach
            long available = sequence.available();

            // look thru queue elements without using sequence
            while (cursor < available) {
                queue.get(cursor++);
            }

            // calling done() only once per batch can yield significant performance benefit
            sequence.done(available - 1);
        }
        // :text
    }
}
