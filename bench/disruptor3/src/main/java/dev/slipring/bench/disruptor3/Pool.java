// SPDX-License-Identifier: Apache-2.0
package dev.slipring.bench.disruptor3;

import com.lmax.disruptor.BlockingWaitStrategy;
import com.lmax.disruptor.ExceptionHandler;
import com.lmax.disruptor.RingBuffer;
import com.lmax.disruptor.SleepingWaitStrategy;
import com.lmax.disruptor.WaitStrategy;
import com.lmax.disruptor.WorkHandler;
import com.lmax.disruptor.WorkerPool;
import com.lmax.disruptor.YieldingWaitStrategy;
import com.lmax.disruptor.dsl.ProducerType;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicLong;

/** One run of a worker pool: values from 0 up are published, each is added up by one worker. */
public final class Pool {

    /** A slot. */
    private static final class Event {
        long value;
    }

    /** A worker: adds up until a negative value ends it. */
    private static final class Adder implements WorkHandler<Event> {

        private final AtomicLong total;
        private final CountDownLatch ended;
        private long sum;

        Adder(AtomicLong total, CountDownLatch ended) {
            this.total = total;
            this.ended = ended;
        }

        @Override
        public void onEvent(Event event) throws InterruptedException {
            if (event.value >= 0) {
                sum += event.value;
                return;
            }
            total.addAndGet(sum);
            ended.countDown();
            // A worker that returned would take the word that ends another.
            Thread.sleep(Long.MAX_VALUE);
        }
    }

    /** Workers are interrupted at their end; everything else is seen in the sum. */
    private static final class Quiet implements ExceptionHandler<Object> {

        @Override
        public void handleEventException(Throwable e, long sequence, Object event) {}

        @Override
        public void handleOnStartException(Throwable e) {}

        @Override
        public void handleOnShutdownException(Throwable e) {}
    }

    private Pool() {}

    /**
     * Runs.
     *
     * @param wait yielding, sleeping or blocking
     * @return nanoseconds, and the sum of what the workers got
     */
    public static long[] run(String wait, int capacity, int workers, long messages)
            throws InterruptedException {
        RingBuffer<Event> ring =
                RingBuffer.create(ProducerType.SINGLE, Event::new, capacity, strategy(wait));
        AtomicLong total = new AtomicLong();
        CountDownLatch ended = new CountDownLatch(workers);
        Adder[] adders = new Adder[workers];
        for (int i = 0; i < workers; i++) {
            adders[i] = new Adder(total, ended);
        }
        WorkerPool<Event> pool = new WorkerPool<>(ring, ring.newBarrier(), new Quiet(), adders);
        ring.addGatingSequences(pool.getWorkerSequences());
        ExecutorService threads = Executors.newFixedThreadPool(workers);
        pool.start(threads);
        long start = System.nanoTime();
        for (long value = 0; value < messages; value++) {
            publish(ring, value);
        }
        for (int i = 0; i < workers; i++) {
            publish(ring, -1);
        }
        ended.await();
        long nanos = System.nanoTime() - start;
        pool.halt();
        threads.shutdownNow();
        return new long[] {nanos, total.get()};
    }

    private static void publish(RingBuffer<Event> ring, long value) {
        long cursor = ring.next();
        ring.get(cursor).value = value;
        ring.publish(cursor);
    }

    private static WaitStrategy strategy(String wait) {
        return switch (wait) {
            case "yielding" -> new YieldingWaitStrategy();
            case "sleeping" -> new SleepingWaitStrategy();
            case "blocking" -> new BlockingWaitStrategy();
            default -> throw new IllegalArgumentException("no wait strategy " + wait);
        };
    }
}
