// SPDX-License-Identifier: Apache-2.0
package dev.slipring.proof.ring;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;

import dev.slipring.ring.MCSequence;
import dev.slipring.ring.MPSequence;
import dev.slipring.ring.Range;
import dev.slipring.ring.RingQueue;
import dev.slipring.ring.SCSequence;
import dev.slipring.ring.SPSequence;
import dev.slipring.ring.Sequence;
import dev.slipring.ring.Waiting;

import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import java.lang.management.ManagementFactory;
import java.util.concurrent.atomic.AtomicLong;

/** What a message allocates in a ring that exists: nothing, also where threads park. */
@Timeout(120)
class AllocationTest {

    private static final int WARM = 100_000;
    private static final int MESSAGES = 100_000;

    /** What the Java makes once, when a path is first taken, is not in all of them. */
    private static final int SPANS = 4;

    private static final long ALL = WARM + (long) SPANS * MESSAGES;

    /** The kinds of sequences, and how they wait. */
    enum Way {
        SINGLE(new SPSequence(64), new SCSequence(), Waiting.PARK),
        SHARED(new MPSequence(64), new MCSequence(64), Waiting.PARK),
        SINGLE_PARKING(new SPSequence(64), new SCSequence(), Waiting.BLOCK),
        SHARED_PARKING(new MPSequence(64), new MCSequence(64), Waiting.BLOCK);

        private final Sequence producer;
        private final Sequence consumer;

        Way(Sequence producer, Sequence consumer, Waiting waiting) {
            this.producer = producer;
            this.consumer = consumer;
            producer.waiting(waiting);
            consumer.waiting(waiting);
            producer.then(consumer).then(producer);
        }
    }

    @ParameterizedTest
    @EnumSource
    void aMessageAllocatesNothing(Way way) throws Exception {
        RingQueue<AtomicLong> ring = new RingQueue<>(AtomicLong::new, 64);
        AtomicLong sum = new AtomicLong();
        AtomicLong consumed = new AtomicLong();
        Thread consumer = new Thread(() -> consumed.set(consume(way.consumer, ring, sum)));
        consumer.start();
        publish(way.producer, ring, 0, WARM);
        long published = Long.MAX_VALUE;
        for (int span = 0; span < SPANS; span++) {
            int from = WARM + span * MESSAGES;
            long before = allocated();
            publish(way.producer, ring, from, from + MESSAGES);
            published = Math.min(published, allocated() - before);
        }
        consumer.join();
        assertThat(sum).hasValue(ALL * (ALL - 1) / 2);
        System.out.printf("%s: %d and %d bytes allocated%n", way, published, consumed.get());
        // A byte for every hundred messages would be far below any object for each or some.
        assertThat(published).isLessThan(MESSAGES / 100);
        assertThat(consumed.get()).isLessThan(MESSAGES / 100);
    }

    private static void publish(Sequence producer, RingQueue<AtomicLong> ring, int from, int to)
            throws InterruptedException {
        for (int value = from; value < to; value++) {
            long cursor = producer.waitForNext();
            ring.get(cursor).setPlain(value);
            producer.done(cursor);
        }
    }

    /** Adds up; returns the least that was allocated in a span. */
    private static long consume(Sequence consumer, RingQueue<AtomicLong> ring, AtomicLong sum) {
        try {
            Range range = new Range();
            long least = Long.MAX_VALUE;
            long before = 0;
            long next = WARM;
            long seen = 0;
            long added = 0;
            while (seen < ALL) {
                consumer.waitForNext(range, 16, Long.MAX_VALUE);
                for (long at = range.first(); at <= range.last(); at++) {
                    added += ring.get(at).getPlain();
                }
                consumer.done(range);
                seen += range.size();
                if (seen >= next) {
                    long now = allocated();
                    least = next == WARM ? least : Math.min(least, now - before);
                    before = now;
                    next += MESSAGES;
                }
            }
            sum.set(added);
            return least;
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    private static long allocated() {
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        return threads.getThreadAllocatedBytes(Thread.currentThread().getId());
    }
}
