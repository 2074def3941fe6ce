// SPDX-License-Identifier: Apache-2.0
package dev.slipring.proof.ring;

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

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;

/**
 * One random graph, run once. Visitors join and leave meanwhile. It is closed while it runs, by its
 * only producer, or while several producers go on.
 */
final class RandomGraph {

    private static final int MOST_STAGES = 6;

    /** A slot: each stage that has been there leaves the message's number. */
    private static final class Slot {
        long message;
        final long[] seen = new long[MOST_STAGES + 1];
    }

    /** Sums of the messages that were written or read. */
    private static final class Sums {
        final AtomicLong count = new AtomicLong();
        final AtomicLong sum = new AtomicLong();

        void add(long message) {
            count.incrementAndGet();
            sum.addAndGet(message);
        }

        boolean equal(Sums other) {
            return count.get() == other.count.get() && sum.get() == other.sum.get();
        }
    }

    /** A stage, and those that it follows. */
    private final class Stage {
        final int number = stages.size();
        final String name = "stage " + number;
        final int threads = random.nextInt(3) == 0 ? 2 : 1;
        final Sequence sequence = threads > 1 ? new MCSequence(capacity) : new SCSequence();
        final List<Integer> before;
        final Sums sums = new Sums();

        Stage(List<Integer> before) {
            this.before = before;
        }
    }

    private final long seed;
    private final Random random;
    private final int capacity;
    private final int producers;
    private final int messages;
    private final RingQueue<Slot> queue;
    private final List<Stage> stages = new ArrayList<>();
    private final AtomicReference<Throwable> broken = new AtomicReference<>();
    private final Sequence producer;
    private final Sums published = new Sums();
    private volatile boolean closed;

    RandomGraph(long seed) {
        this.seed = seed;
        this.random = new Random(seed);
        this.capacity = 1 << random.nextInt(8);
        this.producers = random.nextBoolean() ? 1 : 2;
        this.messages = 2_000 + random.nextInt(20_000);
        this.queue = new RingQueue<>(Slot::new, capacity);
        this.producer = producers > 1 ? new MPSequence(capacity) : new SPSequence(capacity);
    }

    /** A barrier, and the stages that are done once it is passed. */
    private record Part(Barrier barrier, List<Integer> done) {}

    /** Adds random stages after a barrier, one behind the other or side by side. */
    private Part grow(Barrier after, List<Integer> before, int depth) {
        boolean full = stages.size() >= MOST_STAGES - 1;
        if (depth == 0 || full || random.nextInt(3) == 0) {
            Stage stage = new Stage(before);
            stages.add(stage);
            if (after != null) {
                after.then(stage.sequence);
            }
            return new Part(stage.sequence, List.of(stage.number));
        }
        if (random.nextBoolean()) {
            Part first = grow(after, before, depth - 1);
            return grow(first.barrier(), first.done(), depth - 1);
        }
        Part one = grow(null, before, depth - 1);
        Part other = grow(null, before, depth - 1);
        FanOut fanOut = FanOut.to(one.barrier()).and(other.barrier());
        if (after != null) {
            after.then(fanOut);
        }
        List<Integer> done = new ArrayList<>(one.done());
        done.addAll(other.done());
        return new Part(fanOut, done);
    }

    void run() throws Exception {
        Part all = grow(producer, List.of(), 3);
        all.barrier().then(producer);
        List<Thread> threads = new ArrayList<>();
        Waiting[] family = {Waiting.PARK, Waiting.BLOCK, Waiting.YIELD, new Waiting(5, 1, true)};
        producer.waiting(family[random.nextInt(family.length)]);
        for (Stage stage : stages) {
            stage.sequence.waiting(family[random.nextInt(family.length)]);
            for (int i = 0; i < stage.threads; i++) {
                int most = 1 + random.nextInt(capacity);
                threads.add(thread(() -> consume(stage, most)));
            }
        }
        List<Thread> sources = new ArrayList<>();
        for (int i = 0; i < producers; i++) {
            int most = 1 + random.nextInt(capacity);
            sources.add(thread(() -> produce(most)));
        }
        for (int i = random.nextInt(3); i > 0; i--) {
            threads.add(thread(new RandomVisits(this, random.nextLong())::run));
        }
        if (producer instanceof MPSequence shared) {
            long enough = 1 + random.nextInt(messages * producers);
            while (published.count.get() < enough && broken.get() == null) {
                Thread.yield();
            }
            closed = true;
            shared.close();
        }
        for (Thread source : sources) {
            source.join();
        }
        for (Thread thread : threads) {
            thread.join();
        }
        check();
    }

    private void check() {
        if (broken.get() != null) {
            throw new AssertionError("seed " + seed, broken.get());
        }
        for (Stage stage : stages) {
            if (!stage.sums.equal(published)) {
                throw new AssertionError(
                        "seed "
                                + seed
                                + ": stage "
                                + stage.number
                                + " got "
                                + stage.sums.count
                                + " of "
                                + published.count);
            }
        }
    }

    /** What a thread does. */
    private interface Task {
        void run() throws Exception;
    }

    private Thread thread(Task task) {
        Thread thread =
                new Thread(
                        () -> {
                            try {
                                task.run();
                            } catch (Throwable e) {
                                broken.compareAndSet(null, e);
                                producer.stop(e);
                            }
                        });
        thread.start();
        return thread;
    }

    private void produce(int most) throws InterruptedException {
        int left = messages;
        while (left > 0) {
            int n = Math.min(most, left);
            long first = producer.waitForNext(n, Long.MAX_VALUE);
            if (first < 0) {
                return;
            }
            for (long cursor = first; cursor < first + n; cursor++) {
                Slot slot = queue.get(cursor);
                slot.message = message(cursor);
                slot.seen[MOST_STAGES] = cursor;
                published.add(slot.message);
            }
            producer.done(first, first + n - 1);
            left -= n;
        }
        if (producer instanceof SPSequence single) {
            closed = true;
            single.close();
        }
    }

    /**
     * The message at an index. It differs from graph to graph, and sums tell which messages are in
     * them.
     */
    private long message(long cursor) {
        return (cursor ^ seed) * 0x9E37_79B9_7F4A_7C15L;
    }

    private void consume(Stage stage, int most) throws InterruptedException {
        Range range = new Range();
        while (stage.sequence.waitForNext(range, most, Long.MAX_VALUE) >= 0) {
            for (long cursor = range.first(); cursor <= range.last(); cursor++) {
                Slot slot = queue.get(cursor);
                look(stage.before, cursor, stage.name);
                slot.seen[stage.number] = cursor;
                stage.sums.add(slot.message);
            }
            stage.sequence.done(range);
        }
    }

    /**
     * Checks that a slot has the message of an index, and that all stages in {@code before} have
     * been there.
     */
    void look(List<Integer> before, long cursor, String who) {
        Slot slot = queue.get(cursor);
        expect(who, message(cursor), slot.message);
        expect(who, cursor, slot.seen[MOST_STAGES]);
        for (int each : before) {
            expect(who, cursor, slot.seen[each]);
        }
    }

    static void expect(String who, long expected, long found) {
        if (expected != found) {
            throw new AssertionError(who + " found " + found + " and not " + expected);
        }
    }

    /** Whether nothing more is published; messages may be left. */
    boolean isClosed() {
        return closed || broken.get() != null;
    }

    Sequence producer() {
        return producer;
    }

    int capacity() {
        return capacity;
    }

    long count() {
        return published.count.get();
    }

    /** A random place to join: one of the stages, to follow it, or none, to follow the producer. */
    List<Integer> place(Random dice) {
        int number = dice.nextInt(stages.size() + 1);
        return number == stages.size() ? List.of() : List.of(number);
    }

    /** The sequence at a place. */
    Sequence at(List<Integer> place) {
        return place.isEmpty() ? producer : stages.get(place.get(0)).sequence;
    }
}
