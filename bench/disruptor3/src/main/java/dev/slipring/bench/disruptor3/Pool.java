// SPDX-License-Identifier: Apache-2.0
package dev.slipring.bench.disruptor3;

import com.lmax.disruptor.BatchEventProcessor;
import com.lmax.disruptor.BlockingWaitStrategy;
import com.lmax.disruptor.ExceptionHandler;
import com.lmax.disruptor.LiteBlockingWaitStrategy;
import com.lmax.disruptor.RingBuffer;
import com.lmax.disruptor.SleepingWaitStrategy;
import com.lmax.disruptor.WaitStrategy;
import com.lmax.disruptor.WorkerPool;
import com.lmax.disruptor.YieldingWaitStrategy;
import com.lmax.disruptor.dsl.ProducerType;
import com.sun.management.OperatingSystemMXBean;

import java.lang.management.ManagementFactory;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongConsumer;
import java.util.function.LongToDoubleFunction;
import java.util.function.Supplier;

/**
 * A worker pool: values from 0 up are published, each is added up by one worker, and by a stage
 * that follows the pool if there is one.
 *
 * @param waiting yielding, sleeping, blocking or lite-blocking
 * @param capacity how many slots
 * @param workers how many share the values
 * @param isFollowed whether a stage follows the pool
 */
public record Pool(String waiting, int capacity, int workers, boolean isFollowed) {

    private static final OperatingSystemMXBean SYSTEM =
            (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();

    /**
     * What a run came to.
     *
     * @param nanos how long it took
     * @param cpuNanos how long processors were at it
     * @param sum what the workers added up
     * @param followedSum what the stage behind them added up
     * @param results the sum of what the workers computed, as that stage added it up
     */
    public record Run(long nanos, long cpuNanos, long sum, long followedSum, double results) {}

    /** Workers are interrupted at their end; everything else is seen in the sum. */
    private static final class Quiet implements ExceptionHandler<Object> {

        @Override
        public void handleEventException(Throwable e, long sequence, Object event) {}

        @Override
        public void handleOnStartException(Throwable e) {}

        @Override
        public void handleOnShutdownException(Throwable e) {}
    }

    /**
     * Publishes so many values.
     *
     * @param computing what a worker computes of each value; null for nothing
     * @param before what waits until a value is due
     * @param gauges has for each thread of the last stage who is told what it gets; has null for
     *     nobody
     */
    public Run run(
            long messages,
            LongToDoubleFunction computing,
            LongConsumer before,
            Supplier<LongConsumer> gauges)
            throws InterruptedException {
        RingBuffer<Event> ring =
                RingBuffer.create(ProducerType.SINGLE, Event::new, capacity, strategy());
        AtomicLong total = new AtomicLong();
        CountDownLatch ended = new CountDownLatch(isFollowed ? workers + 1 : workers);
        Adder[] adders = new Adder[workers];
        for (int i = 0; i < workers; i++) {
            adders[i] = new Adder(computing, isFollowed ? null : gauges.get(), total, ended);
        }
        WorkerPool<Event> pool = new WorkerPool<>(ring, ring.newBarrier(), new Quiet(), adders);
        ExecutorService threads = Executors.newCachedThreadPool();
        Follower follower = new Follower(messages, isFollowed ? gauges.get() : null, ended);
        BatchEventProcessor<Event> behind =
                new BatchEventProcessor<>(
                        ring, ring.newBarrier(pool.getWorkerSequences()), follower);
        if (isFollowed) {
            ring.addGatingSequences(behind.getSequence());
            threads.execute(behind);
        } else {
            ring.addGatingSequences(pool.getWorkerSequences());
        }
        pool.start(threads);
        long cpu = SYSTEM.getProcessCpuTime();
        long start = System.nanoTime();
        for (long value = 0; value < messages; value++) {
            before.accept(value);
            publish(ring, value);
        }
        for (int i = 0; i < workers; i++) {
            publish(ring, -1);
        }
        ended.await();
        long nanos = System.nanoTime() - start;
        cpu = SYSTEM.getProcessCpuTime() - cpu;
        pool.halt();
        behind.halt();
        threads.shutdownNow();
        return new Run(nanos, cpu, total.get(), follower.sum(), follower.results());
    }

    private static void publish(RingBuffer<Event> ring, long value) {
        long cursor = ring.next();
        ring.get(cursor).value = value;
        ring.publish(cursor);
    }

    private WaitStrategy strategy() {
        return switch (waiting) {
            case "yielding" -> new YieldingWaitStrategy();
            case "sleeping" -> new SleepingWaitStrategy();
            case "blocking" -> new BlockingWaitStrategy();
            case "lite-blocking" -> new LiteBlockingWaitStrategy();
            default -> throw new IllegalArgumentException("no wait strategy " + waiting);
        };
    }
}
