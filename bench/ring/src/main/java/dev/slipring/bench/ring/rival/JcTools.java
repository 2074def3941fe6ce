// SPDX-License-Identifier: Apache-2.0
package dev.slipring.bench.ring.rival;

import dev.slipring.bench.ring.contest.Contestant;
import dev.slipring.bench.ring.contest.Crew;
import dev.slipring.bench.ring.contest.Event;
import dev.slipring.bench.ring.contest.Load;
import dev.slipring.bench.ring.contest.Outcome;
import dev.slipring.bench.ring.contest.Shape;
import dev.slipring.bench.ring.contest.Work;

import org.jctools.queues.MessagePassingQueue;
import org.jctools.queues.MpmcArrayQueue;
import org.jctools.queues.MpscArrayQueue;
import org.jctools.queues.SpmcArrayQueue;
import org.jctools.queues.SpscArrayQueue;

/**
 * The queues of JCTools, which pass references and have one stage only. Of these, each shape uses
 * the queue that is made for its numbers of producers and consumers. The messages are made before
 * and used again and again, so that only the passing is measured; {@link Stock} says how many there
 * are.
 */
public final class JcTools implements Contestant {

    /** The message that ends a worker. */
    private static final Event END = new Event();

    @Override
    public String name() {
        return "jctools-yielding";
    }

    @Override
    public boolean can(Shape shape) {
        return shape.stages() == 1;
    }

    @Override
    public Outcome run(Shape shape, Load load) throws Exception {
        MessagePassingQueue<Event> queue = queue(shape, load.capacity());
        Crew crew = new Crew(shape, load);
        if (!shape.hasPool()) {
            Work work = crew.work(0, 0);
            crew.consume(() -> consume(queue, work, load.messages()));
            return crew.run((from, to) -> publish(queue, load, from, to), () -> {});
        }
        for (int i = 0; i < shape.pool(); i++) {
            Work work = crew.work(0, 0);
            crew.consume(() -> share(queue, work));
        }
        return crew.run(
                (from, to) -> publishToPool(queue, load, shape.pool(), from, to),
                () -> {
                    for (int i = 0; i < shape.pool(); i++) {
                        offer(queue, END);
                    }
                });
    }

    private static MessagePassingQueue<Event> queue(Shape shape, int capacity) {
        if (shape.producers() > 1) {
            return shape.hasPool()
                    ? new MpmcArrayQueue<>(capacity)
                    : new MpscArrayQueue<>(capacity);
        }
        return shape.hasPool() ? new SpmcArrayQueue<>(capacity) : new SpscArrayQueue<>(capacity);
    }

    private static void publish(MessagePassingQueue<Event> queue, Load load, long from, long to) {
        Stock stock = Stock.forOne(load.capacity());
        for (long value = from; value < to; value++) {
            load.await(value);
            Event event = stock.next();
            event.value = value;
            offer(queue, event);
        }
    }

    private static void publishToPool(
            MessagePassingQueue<Event> queue, Load load, int workers, long from, long to) {
        Stock stock = Stock.forPool(load.capacity(), workers);
        for (long value = from; value < to; value++) {
            load.await(value);
            Event event = stock.nextThatIsFree();
            event.value = value;
            offer(queue, event);
        }
    }

    private static void offer(MessagePassingQueue<Event> queue, Event event) {
        while (!queue.relaxedOffer(event)) {
            Thread.yield();
        }
    }

    private static void consume(MessagePassingQueue<Event> queue, Work work, long messages) {
        long left = messages;
        while (left > 0) {
            Event event = queue.relaxedPoll();
            if (event == null) {
                Thread.yield();
            } else {
                work.on(event);
                left--;
            }
        }
    }

    private static void share(MessagePassingQueue<Event> queue, Work work) {
        Event event;
        while ((event = queue.relaxedPoll()) != END) {
            if (event == null) {
                Thread.yield();
            } else {
                work.on(event);
                Stock.free(event);
            }
        }
    }
}
