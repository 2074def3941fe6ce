// SPDX-License-Identifier: Apache-2.0
package dev.slipring.bench.ring.rival;

import com.lmax.disruptor.BlockingWaitStrategy;
import com.lmax.disruptor.BusySpinWaitStrategy;
import com.lmax.disruptor.EventHandler;
import com.lmax.disruptor.LiteBlockingWaitStrategy;
import com.lmax.disruptor.RingBuffer;
import com.lmax.disruptor.SleepingWaitStrategy;
import com.lmax.disruptor.WaitStrategy;
import com.lmax.disruptor.YieldingWaitStrategy;
import com.lmax.disruptor.dsl.Disruptor;
import com.lmax.disruptor.dsl.EventHandlerGroup;
import com.lmax.disruptor.dsl.ProducerType;
import com.lmax.disruptor.util.DaemonThreadFactory;

import dev.slipring.bench.ring.contest.Contestant;
import dev.slipring.bench.ring.contest.Crew;
import dev.slipring.bench.ring.contest.Event;
import dev.slipring.bench.ring.contest.Load;
import dev.slipring.bench.ring.contest.Outcome;
import dev.slipring.bench.ring.contest.Shape;
import dev.slipring.bench.ring.contest.Work;

import java.util.concurrent.CountDownLatch;

/** LMAX Disruptor 4, with one of its wait strategies. It has no worker pool. */
public final class Lmax implements Contestant {

    private final String wait;

    /** The Disruptor; waits spinning, yielding, sleeping, blocking or lite-blocking. */
    public Lmax(String wait) {
        this.wait = wait;
    }

    @Override
    public String name() {
        return "disruptor-" + wait;
    }

    @Override
    public boolean can(Shape shape) {
        return !shape.hasPool();
    }

    /** One stage. */
    private static final class Handler implements EventHandler<Event> {

        private final Work work;
        private final CountDownLatch ended;
        private long left;

        Handler(Work work, long messages, CountDownLatch ended) {
            this.work = work;
            this.left = messages;
            this.ended = ended;
        }

        @Override
        public void onEvent(Event event, long sequence, boolean endOfBatch) {
            work.on(event);
            if (--left == 0) {
                ended.countDown();
            }
        }
    }

    @Override
    public Outcome run(Shape shape, Load load) throws Exception {
        Disruptor<Event> disruptor =
                new Disruptor<>(
                        Event::new,
                        load.capacity(),
                        DaemonThreadFactory.INSTANCE,
                        shape.producers() > 1 ? ProducerType.MULTI : ProducerType.SINGLE,
                        strategy());
        Crew crew = new Crew(shape, load);
        CountDownLatch ended = new CountDownLatch(shape.stages());
        EventHandlerGroup<Event> last = null;
        for (int level = 0; level < shape.levels().size(); level++) {
            Handler[] handlers = new Handler[shape.levels().get(level).size()];
            for (int stage = 0; stage < handlers.length; stage++) {
                handlers[stage] = new Handler(crew.work(level, stage), load.messages(), ended);
            }
            last = last == null ? disruptor.handleEventsWith(handlers) : last.then(handlers);
        }
        RingBuffer<Event> ring = disruptor.start();
        try {
            return crew.run((from, to) -> publish(ring, from, to, load), ended::await);
        } finally {
            disruptor.halt();
        }
    }

    private static void publish(RingBuffer<Event> ring, long from, long to, Load load) {
        for (long value = from; value < to; value++) {
            load.await(value);
            long cursor = ring.next();
            ring.get(cursor).value = value;
            ring.publish(cursor);
        }
    }

    private WaitStrategy strategy() {
        return switch (wait) {
            case "spinning" -> new BusySpinWaitStrategy();
            case "yielding" -> new YieldingWaitStrategy();
            case "sleeping" -> new SleepingWaitStrategy();
            case "blocking" -> new BlockingWaitStrategy();
            case "lite-blocking" -> new LiteBlockingWaitStrategy();
            default -> throw new IllegalArgumentException("no wait strategy " + wait);
        };
    }
}
