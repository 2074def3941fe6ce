// SPDX-License-Identifier: Apache-2.0
package dev.slipring.bench.ring.rival;

import dev.slipring.bench.ring.contest.Contestant;
import dev.slipring.bench.ring.contest.Crew;
import dev.slipring.bench.ring.contest.Event;
import dev.slipring.bench.ring.contest.Load;
import dev.slipring.bench.ring.contest.Outcome;
import dev.slipring.bench.ring.contest.Shape;
import dev.slipring.bench.ring.contest.Work;
import dev.slipring.ring.Barrier;
import dev.slipring.ring.FanOut;
import dev.slipring.ring.MCSequence;
import dev.slipring.ring.MPSequence;
import dev.slipring.ring.Range;
import dev.slipring.ring.RingQueue;
import dev.slipring.ring.SCSequence;
import dev.slipring.ring.SPSequence;
import dev.slipring.ring.Sequence;
import dev.slipring.ring.Waiting;

import java.util.List;

/**
 * Our ring, used as its page shows: producers publish messages one by one, consumers take as many
 * as there are.
 */
public final class SlipringRing implements Contestant {

    private final String name;
    private final Waiting waiting;

    /** The ring with a way of waiting. */
    public SlipringRing(String name, Waiting waiting) {
        this.name = name;
        this.waiting = waiting;
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public boolean can(Shape shape) {
        return true;
    }

    @Override
    public Outcome run(Shape shape, Load load) throws Exception {
        RingQueue<Event> queue = new RingQueue<>(Event::new, load.capacity());
        Crew crew = new Crew(shape, load);
        Sequence producer =
                shape.producers() > 1
                        ? new MPSequence(load.capacity())
                        : new SPSequence(load.capacity());
        producer.waiting(waiting);
        Sequence[][] stages = new Sequence[shape.levels().size()][];
        Barrier last = producer;
        for (int level = 0; level < stages.length; level++) {
            List<Integer> threads = shape.levels().get(level);
            stages[level] = new Sequence[threads.size()];
            FanOut fanOut = new FanOut();
            for (int stage = 0; stage < threads.size(); stage++) {
                Sequence sequence =
                        threads.get(stage) > 1 ? new MCSequence(load.capacity()) : new SCSequence();
                sequence.waiting(waiting);
                stages[level][stage] = sequence;
                fanOut.and(sequence);
            }
            last = last.then(threads.size() > 1 ? fanOut : stages[level][0]);
        }
        last.then(producer);
        start(crew, queue, shape, stages);
        return producer instanceof SPSequence single
                ? crew.run((from, to) -> publish(queue, single, from, to, load), single::close)
                : crew.run(
                        (from, to) -> publish(queue, (MPSequence) producer, from, to, load),
                        ((MPSequence) producer)::close);
    }

    private static void start(Crew crew, RingQueue<Event> queue, Shape shape, Sequence[][] stages) {
        for (int level = 0; level < stages.length; level++) {
            for (int stage = 0; stage < stages[level].length; stage++) {
                int threads = shape.levels().get(level).get(stage);
                for (int i = 0; i < threads; i++) {
                    Work work = crew.work(level, stage);
                    Sequence sequence = stages[level][stage];
                    crew.consume(
                            sequence instanceof SCSequence single
                                    ? () -> consume(queue, single, work)
                                    : () -> share(queue, (MCSequence) sequence, work, threads));
                }
            }
        }
    }

    private static void publish(
            RingQueue<Event> queue, SPSequence sequence, long from, long to, Load load)
            throws InterruptedException {
        for (long value = from; value < to; value++) {
            load.await(value);
            long cursor = sequence.waitForNext();
            queue.get(cursor).value = value;
            sequence.done(cursor);
        }
    }

    private static void publish(
            RingQueue<Event> queue, MPSequence sequence, long from, long to, Load load)
            throws InterruptedException {
        for (long value = from; value < to; value++) {
            load.await(value);
            long cursor = sequence.waitForNext();
            queue.get(cursor).value = value;
            sequence.done(cursor);
        }
    }

    private static void consume(RingQueue<Event> queue, SCSequence sequence, Work work)
            throws InterruptedException {
        long cursor;
        while ((cursor = sequence.waitForNext()) >= 0) {
            long available = sequence.available();
            while (cursor < available) {
                work.on(queue.get(cursor++));
            }
            sequence.done(available - 1);
        }
    }

    private static void share(RingQueue<Event> queue, MCSequence sequence, Work work, int threads)
            throws InterruptedException {
        Range range = new Range();
        int most = Math.max(queue.getCapacity() / (4 * threads), 1);
        while (sequence.waitForNext(range, most, Long.MAX_VALUE) >= 0) {
            for (long cursor = range.first(); cursor <= range.last(); cursor++) {
                work.on(queue.get(cursor));
            }
            sequence.done(range);
        }
    }
}
