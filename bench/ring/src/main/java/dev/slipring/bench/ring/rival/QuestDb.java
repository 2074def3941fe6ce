// SPDX-License-Identifier: Apache-2.0
package dev.slipring.bench.ring.rival;

import dev.slipring.bench.ring.contest.Contestant;
import dev.slipring.bench.ring.contest.Crew;
import dev.slipring.bench.ring.contest.Event;
import dev.slipring.bench.ring.contest.Load;
import dev.slipring.bench.ring.contest.Outcome;
import dev.slipring.bench.ring.contest.Shape;
import dev.slipring.bench.ring.contest.Work;

import io.questdb.mp.Barrier;
import io.questdb.mp.FanOut;
import io.questdb.mp.MCSequence;
import io.questdb.mp.MPSequence;
import io.questdb.mp.RingQueue;
import io.questdb.mp.SCSequence;
import io.questdb.mp.SPSequence;
import io.questdb.mp.Sequence;

import java.util.List;
import java.util.concurrent.locks.LockSupport;

/** QuestDB's ring, used as its text shows; a thread that loses a race tries again at once. */
public final class QuestDb implements Contestant {

    private final boolean parks;

    /**
     * QuestDB's ring; a thread that waits parks for a nanosecond if {@code parks}, and else yields.
     */
    public QuestDb(boolean parks) {
        this.parks = parks;
    }

    @Override
    public String name() {
        return parks ? "questdb-parking" : "questdb-yielding";
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
        Sequence[][] stages = new Sequence[shape.levels().size()][];
        Barrier last = producer;
        for (int level = 0; level < stages.length; level++) {
            List<Integer> threads = shape.levels().get(level);
            stages[level] = new Sequence[threads.size()];
            FanOut fanOut = null;
            for (int stage = 0; stage < threads.size(); stage++) {
                Sequence sequence =
                        threads.get(stage) > 1 ? new MCSequence(load.capacity()) : new SCSequence();
                stages[level][stage] = sequence;
                fanOut = fanOut == null ? FanOut.to(sequence) : fanOut.and(sequence);
            }
            last = last.then(threads.size() > 1 ? fanOut : stages[level][0]);
        }
        last.then(producer);
        start(crew, queue, shape, load, stages);
        int ends = shape.hasPool() ? shape.pool() : 0;
        return producer instanceof SPSequence single
                ? crew.run(
                        (from, to) -> publish(queue, single, from, to, load),
                        () -> end(queue, single, ends))
                : crew.run(
                        (from, to) -> publish(queue, (MPSequence) producer, from, to, load),
                        () -> end(queue, producer, ends));
    }

    private void start(
            Crew crew, RingQueue<Event> queue, Shape shape, Load load, Sequence[][] stages) {
        for (int level = 0; level < stages.length; level++) {
            for (int stage = 0; stage < stages[level].length; stage++) {
                int threads = shape.levels().get(level).get(stage);
                for (int i = 0; i < threads; i++) {
                    Work work = crew.work(level, stage);
                    Sequence sequence = stages[level][stage];
                    crew.consume(
                            sequence instanceof SCSequence single
                                    ? () -> consume(queue, single, work, load.messages())
                                    : () -> share(queue, (MCSequence) sequence, work));
                }
            }
        }
    }

    private void idle() {
        if (parks) {
            LockSupport.parkNanos(1);
        } else {
            Thread.yield();
        }
    }

    private void publish(
            RingQueue<Event> queue, SPSequence sequence, long from, long to, Load load) {
        for (long value = from; value < to; value++) {
            load.await(value);
            long cursor = sequence.next();
            while (cursor < 0) {
                idle();
                cursor = sequence.next();
            }
            queue.get(cursor).value = value;
            sequence.done(cursor);
        }
    }

    private void publish(
            RingQueue<Event> queue, MPSequence sequence, long from, long to, Load load) {
        for (long value = from; value < to; value++) {
            load.await(value);
            long cursor = sequence.next();
            while (cursor < 0) {
                if (cursor == -1) {
                    idle();
                }
                cursor = sequence.next();
            }
            queue.get(cursor).value = value;
            sequence.done(cursor);
        }
    }

    private void end(RingQueue<Event> queue, Sequence sequence, int times) {
        for (int i = 0; i < times; i++) {
            long cursor = sequence.next();
            while (cursor < 0) {
                idle();
                cursor = sequence.next();
            }
            queue.get(cursor).value = -1;
            sequence.done(cursor);
        }
    }

    private void consume(RingQueue<Event> queue, SCSequence sequence, Work work, long messages) {
        long seen = 0;
        while (seen < messages) {
            long cursor = sequence.next();
            if (cursor < 0) {
                idle();
                continue;
            }
            // After the last message come those that end a pool in front of this stage: they are
            // left out.
            long available = Math.min(sequence.available(), messages);
            seen += available - cursor;
            while (cursor < available) {
                work.on(queue.get(cursor++));
            }
            sequence.done(available - 1);
        }
    }

    private void share(RingQueue<Event> queue, MCSequence sequence, Work work) {
        boolean ended = false;
        while (!ended) {
            long cursor = sequence.next();
            if (cursor < 0) {
                if (cursor == -1) {
                    idle();
                }
                continue;
            }
            Event event = queue.get(cursor);
            ended = event.value < 0;
            if (!ended) {
                work.on(event);
            }
            sequence.done(cursor);
        }
    }
}
