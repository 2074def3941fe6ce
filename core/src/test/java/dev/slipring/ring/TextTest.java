// SPDX-License-Identifier: Apache-2.0
package dev.slipring.ring;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;

/**
 * The snippets and graphs of "How we built inter-thread messaging from scratch" (QuestDB), in that
 * text's order. Of what is shown there two slips are mended: a parenthesis that is missing, and an
 * expression that is no statement.
 */
@Timeout(60)
class TextTest {

    /** A slot with a value, as the text's publisher writes it. */
    static final class Slot {
        long value;
    }

    private static final int CAPACITY = 8;

    private final RingQueue<Slot> queue = new RingQueue<>(Slot::new, CAPACITY);

    // "To help sequences do their magic they have to be shaped into a graph."

    @Test
    void chain() {
        Sequence a = new SPSequence(CAPACITY);
        Sequence b = new SCSequence();
        Sequence c = new SCSequence();
        Sequence d = new SCSequence();

        a.then(b).then(c).then(d).then(a);

        assertThat(a.next()).isEqualTo(0);
        assertThat(b.next()).isEqualTo(-1);
        a.done(0);
        for (Sequence next : new Sequence[] {b, c, d}) {
            assertThat(next.next()).isEqualTo(0);
            next.done(0);
        }
    }

    // "To branch we use helper class FanOut"

    @Test
    void branch() {
        Sequence a = new SPSequence(CAPACITY);
        Sequence b = new SCSequence();
        Sequence c = new SCSequence();
        Sequence d = new SCSequence();

        a.then(FanOut.to(b).and(c)).then(d).then(a);

        a.done(a.next());
        b.done(b.next());
        assertThat(d.next()).isEqualTo(-1);
        c.done(c.next());
        assertThat(d.next()).isEqualTo(0);
    }

    // "It is quite a mouthful but it creates this nice little graph"

    @Test
    void nestedFanOut() {
        Sequence a = new SPSequence(CAPACITY);
        Sequence b = new SCSequence();
        Sequence c = new SCSequence();
        Sequence d = new SCSequence();
        Sequence e = new SCSequence();
        Sequence f = new SCSequence();

        a.then(FanOut.to(FanOut.to(b).and(c)).and(d.then(e))).then(f).then(a);

        a.done(a.next());
        assertThat(e.next()).isEqualTo(-1);
        d.done(d.next());
        e.done(e.next());
        b.done(b.next());
        assertThat(f.next()).isEqualTo(-1);
        c.done(c.next());
        assertThat(f.next()).isEqualTo(0);
    }

    // "FanOut can also be used as a placeholder in a chain to allow threads to
    // subscribe/unsubscribe on the fly."

    @Test
    void subscription() {
        // You can add as many sequences into fan out as you like.
        FanOut fanOut = new FanOut();

        // ordinary producer sequence
        Sequence seqProducer = new SPSequence(queue.getCapacity());
        // daisy chain producer and fan out and loop back producer
        seqProducer.then(fanOut).then(seqProducer);

        // meanwhile in another thread ....
        for (int i = 0; i < 3 * CAPACITY; i++) {
            seqProducer.done(seqProducer.next());
        }

        // Add individual consumer sequences later as needed.
        Sequence consumer1 = fanOut.addAndGet(new SCSequence(seqProducer.current()));

        // do something useful with consumer1 sequence
        assertThat(consumer1.next()).isEqualTo(-1);
        for (int i = 0; i < CAPACITY; i++) {
            seqProducer.done(seqProducer.next());
        }
        assertThat(seqProducer.next()).isEqualTo(-1);
        assertThat(consumer1.next()).isEqualTo(3 * CAPACITY);

        // remove sequence from fanOut to unsubscribe
        fanOut.remove(consumer1);
        assertThat(seqProducer.next()).isEqualTo(4 * CAPACITY);
    }

    // "When "B" is an instance of MCSequence() we have a self-balancing worker pool. When "A" is
    // MPSequence(), we have many-to-many pub-sub system."

    @Test
    void workerPool() throws Exception {
        Sequence A = new SPSequence(CAPACITY);
        Sequence B = new MCSequence(CAPACITY);
        A.then(B).then(A);
        run(A, 1, B, 3);
    }

    @Test
    void manyToMany() throws Exception {
        Sequence A = new MPSequence(CAPACITY);
        Sequence B = new MCSequence(CAPACITY);
        A.then(B).then(A);
        run(A, 3, B, 3);
    }

    // "Let's take a look at how threads interact with sequences. This is a typical example of
    // publisher", and the consumer "is almost identical"

    private void run(Sequence in, int producers, Sequence out, int consumers) throws Exception {
        long each = 20_000;
        long all = each * producers;
        AtomicLong published = new AtomicLong();
        AtomicLong consumed = new AtomicLong();
        AtomicLong sum = new AtomicLong();
        ExecutorService threads = Executors.newFixedThreadPool(producers + consumers);
        for (int i = 0; i < producers; i++) {
            threads.execute(() -> publish(in, each, published));
        }
        Future<?>[] ends = new Future<?>[consumers];
        for (int i = 0; i < consumers; i++) {
            ends[i] = threads.submit(() -> consume(out, all, consumed, sum));
        }
        for (Future<?> end : ends) {
            end.get(30, TimeUnit.SECONDS);
        }
        threads.shutdown();
        assertThat(consumed.get()).isEqualTo(all);
        assertThat(sum.get()).isEqualTo(all * (all + 1) / 2);
    }

    private void publish(Sequence sequence, long count, AtomicLong value) {
        long left = count;
        // loop until there is work to do
        while (left > 0) {
            // Non-blocking call. Method returns immediately
            long cursor = sequence.next();
            if (cursor < 0) {
                // negative cursor is an error
                LockSupport.parkNanos(1);
                continue;
            }

            // write to queue
            try {
                queue.get(cursor).value = value.incrementAndGet();
                left--;
            } finally {
                // releasing cursor promptly is important
                sequence.done(cursor);
            }
        }
    }

    private void consume(Sequence sequence, long all, AtomicLong consumed, AtomicLong sum) {
        while (consumed.get() < all) {
            long cursor = sequence.next();
            if (cursor < 0) {
                LockSupport.parkNanos(1);
                continue;
            }
            sum.addAndGet(queue.get(cursor).value);
            sequence.done(cursor);
            consumed.incrementAndGet();
        }
    }

    // "Performance of single-threaded sequences can benefit further from batching."

    @Test
    void batches() throws Exception {
        Sequence producer = new SPSequence(CAPACITY);
        Sequence sequence = new SCSequence();
        producer.then(sequence).then(producer);
        long all = 100_000;
        Thread other = new Thread(() -> publish(producer, all, new AtomicLong()));
        other.start();
        long sum = 0;
        long seen = 0;
        while (seen < all) {
            long cursor = sequence.next();

            if (cursor < 0) {
                LockSupport.parkNanos(1);
                continue;
            }

            // get max index sequence can reach
            long available = sequence.available();

            // look thru queue elements without using sequence
            while (cursor < available) {
                sum += queue.get(cursor++).value;
                seen++;
            }

            // calling done() only once per batch can yield significant performance benefit
            sequence.done(available - 1);
        }
        other.join();
        assertThat(sum).isEqualTo(all * (all + 1) / 2);
    }
}
