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
import org.jctools.queues.MpscArrayQueue;
import org.jctools.queues.SpscArrayQueue;

/**
 * The queues of JCTools, which pass references and know one stage only. The messages are made
 * before and used again and again, so it is the passing that is measured.
 */
public final class JcTools implements Contestant {

    @Override
    public String name() {
        return "jctools-yielding";
    }

    @Override
    public boolean can(Shape shape) {
        return shape.stages() == 1 && !shape.hasPool();
    }

    @Override
    public Outcome run(Shape shape, Load load) throws Exception {
        MessagePassingQueue<Event> queue =
                shape.producers() > 1
                        ? new MpscArrayQueue<>(load.capacity())
                        : new SpscArrayQueue<>(load.capacity());
        Crew crew = new Crew(shape, load);
        Work work = crew.work(0, 0);
        crew.consume(() -> consume(queue, work, load.messages()));
        return crew.run((from, to) -> publish(queue, load, from, to), () -> {});
    }

    private static void publish(MessagePassingQueue<Event> queue, Load load, long from, long to) {
        // One is written again when all that the queue holds came after it, and were read.
        Event[] events = new Event[load.capacity() * 4];
        for (int i = 0; i < events.length; i++) {
            events[i] = new Event();
        }
        for (long value = from; value < to; value++) {
            load.await(value);
            Event event = events[(int) value & (events.length - 1)];
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
}
