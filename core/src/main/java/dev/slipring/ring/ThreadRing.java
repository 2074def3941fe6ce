// SPDX-License-Identifier: Apache-2.0
package dev.slipring.ring;

import dev.slipring.graph.NoSuchStage;
import dev.slipring.threads.Exits;
import dev.slipring.threads.Unbroken;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.stream.Stream;

/**
 * A ring with threads: what is pushed goes through stages that follow each other as a graph says.
 * It is the same kind of graph with which a durable ring is declared, so {@code FanOut} here is
 * {@link dev.slipring.graph.FanOut}.
 *
 * <pre>
 *     ThreadRing&lt;Order&gt; orders = ThreadRing.of(Order::new, 1024)
 *             .graph(FanOut.to("locate").and("grade").then("alert"))
 *             .work("locate", order -&gt; …)
 *             .work("grade", 3, order -&gt; …)
 *             .work("alert", order -&gt; …)
 *             .open();
 *     orders.push(order -&gt; order.id = 7);
 * </pre>
 *
 * @param <T> what a slot is
 */
public final class ThreadRing<T> implements AutoCloseable {

    /** How long a close waits before it looks whether there is anybody to wait for. */
    private static final long LOOK_NANOS = TimeUnit.MILLISECONDS.toNanos(500);

    private final RingQueue<T> queue;
    private final boolean[] hollow;
    private final Sequence producer;
    private final Map<String, Sequence> stages;
    private final Waiting waiting;
    private final Filling filling;

    /** The threads of each stage; guarded by itself, with the stages. */
    private final Map<String, List<Thread>> threads = new HashMap<>();

    /** The threads of stages that are just leaving; guarded as those. */
    private final List<Thread> leaving = new ArrayList<>();

    ThreadRing(
            RingQueue<T> queue, Sequence producer, Map<String, Sequence> stages, Waiting waiting) {
        this.queue = queue;
        this.hollow = new boolean[queue.getCapacity()];
        this.producer = producer;
        this.stages = stages;
        this.waiting = waiting;
        this.filling = new Filling(producer instanceof SPSequence);
    }

    /**
     * Begins a ring.
     *
     * @param factory makes a slot; called once for each
     * @param capacity how many slots, a power of two up to 2<sup>30</sup>
     * @throws IllegalArgumentException if it is no such number
     */
    public static <T> ThreadRingBuilder<T> of(Supplier<? extends T> factory, int capacity) {
        return new ThreadRingBuilder<>(factory, capacity);
    }

    /**
     * Fills the next slot; waits for one.
     *
     * @throws IllegalStateException if the ring is closed, or stopped: its cause is why; also if a
     *     filler pushes into the ring whose slot it fills
     * @throws InterruptedException if the thread is interrupted while it waits
     */
    public void push(Consumer<? super T> filler) throws InterruptedException {
        boolean[] fills = filling.mine();
        fill(producer.waitForNext(), filler, fills);
    }

    /**
     * Fills the next slot, if there is one within a time.
     *
     * @return whether there was
     * @throws IllegalStateException as {@link #push(Consumer)} does
     */
    public boolean push(Consumer<? super T> filler, Duration wait) throws InterruptedException {
        boolean[] fills = filling.mine();
        long cursor = producer.waitForNext(1, TimeUnit.NANOSECONDS.convert(wait));
        if (cursor == Sequence.NONE) {
            return false;
        }
        fill(cursor, filler, fills);
        return true;
    }

    private void fill(long cursor, Consumer<? super T> filler, boolean[] fills) {
        if (cursor < 0) {
            throw new IllegalStateException(
                    producer.failure() == null
                            ? "the ring is closed"
                            : "the ring stopped, as a handler failed",
                    producer.failure());
        }
        int index = (int) cursor & (hollow.length - 1);
        boolean filled = false;
        fills[0] = true;
        try {
            filler.accept(queue.get(cursor));
            filled = true;
        } finally {
            fills[0] = false;
            // The index is claimed and must go its way; handlers do not see a slot half filled.
            if (hollow[index] == filled) {
                hollow[index] = !filled;
            }
            producer.done(cursor);
        }
    }

    /**
     * Has a stage join while the ring runs, with its own threads; it sees what is pushed from now
     * on.
     *
     * @param stage its name
     * @param after the stage that it follows; null to see what is pushed at once
     * @param threads how many threads share the slots, 1 to 10,000: each slot goes to one of them
     * @throws NoSuchStage if there is no stage for it to follow
     * @throws IllegalArgumentException if there is a stage of its name
     */
    public void join(String stage, String after, int threads, SlotHandler<T> handler) {
        join(stage, after, threads, handler, OnFailure.stop());
    }

    /**
     * Has a stage {@linkplain #join(String, String, int, SlotHandler) join}, and says what becomes
     * of a slot that its handler fails on.
     *
     * @param stage its name
     * @param after the stage that it follows; null to see what is pushed at once
     * @param threads how many threads share the slots, 1 to 10,000
     * @throws NoSuchStage if there is no stage for it to follow
     * @throws IllegalArgumentException if there is a stage of its name
     */
    public void join(
            String stage,
            String after,
            int threads,
            SlotHandler<T> handler,
            OnFailure<T> onFailure) {
        join(stage, after, new Work<>(threads, handler, null, onFailure));
    }

    /**
     * Has a stage {@linkplain #join(String, String, int, SlotHandler) join} whose handler takes
     * batches, and says what becomes of a batch that it fails on.
     *
     * @param stage its name
     * @param after the stage that it follows; null to see what is pushed at once
     * @param threads how many threads share the slots, 1 to 10,000
     * @throws NoSuchStage if there is no stage for it to follow
     * @throws IllegalArgumentException if there is a stage of its name
     */
    public void joinBatches(
            String stage,
            String after,
            int threads,
            SlotBatchHandler<T> handler,
            OnFailure<T> onFailure) {
        join(stage, after, new Work<>(threads, null, handler, onFailure));
    }

    private void join(String stage, String after, Work<T> work) {
        Objects.requireNonNull(stage, "stage");
        Sequence sequence = work.sequence(queue.getCapacity());
        sequence.waiting(waiting);
        synchronized (threads) {
            if (stages.containsKey(stage)) {
                throw new IllegalArgumentException("there is a stage '" + stage + "' already");
            }
            producer.join(after == null ? producer : stage(after), sequence);
            stages.put(stage, sequence);
            start(stage, sequence, work);
        }
    }

    /**
     * Has a stage leave: its threads finish what they have in hand, and the stages that followed it
     * follow what it followed.
     *
     * @throws IllegalStateException if it is the only one, or if a handler of this ring asks: two
     *     that let each other's stage leave would wait for each other
     * @throws NoSuchStage if it is not there
     */
    public void leave(String stage) {
        Objects.requireNonNull(stage, "stage");
        List<Thread> ending;
        Sequence sequence;
        synchronized (threads) {
            sequence = stage(stage);
            ending = threads.get(stage);
            if (all().contains(Thread.currentThread())) {
                throw new IllegalStateException(
                        "a handler of this ring cannot wait until stage '"
                                + stage
                                + "' has left, as that may wait for what the handler has in hand");
            }
            if (stages.size() == 1) {
                throw new IllegalStateException(
                        "'"
                                + stage
                                + "' is the only stage: let another join first, or close the ring");
            }
            Leaving.announce(producer, sequence);
            threads.remove(stage);
            stages.remove(stage);
            leaving.addAll(ending);
        }
        Unbroken.join(ending);
        producer.leave(sequence);
        synchronized (threads) {
            leaving.removeAll(ending);
        }
    }

    /** All threads of stages, also of those that are leaving. */
    private List<Thread> all() {
        return Stream.concat(threads.values().stream().flatMap(List::stream), leaving.stream())
                .toList();
    }

    private Sequence stage(String name) {
        Sequence sequence = stages.get(name);
        if (sequence == null) {
            throw new NoSuchStage(
                    "no stage '"
                            + name
                            + "'; the stages are "
                            + String.join(", ", stages.keySet()));
        }
        return sequence;
    }

    /** Starts a stage's threads; where the system has none to give, the ring stops. */
    void start(String stage, Sequence sequence, Work<T> work) {
        List<Thread> own = threads.computeIfAbsent(stage, name -> new ArrayList<>());
        try {
            for (int i = 0; i < work.threads(); i++) {
                Thread thread =
                        new Thread(
                                new StageLoop<>(queue, hollow, producer, sequence, work),
                                "slipring-" + stage);
                thread.setDaemon(true);
                thread.start();
                own.add(thread);
            }
        } catch (Throwable e) {
            // Others would wait for what it never takes.
            producer.stop(e);
            throw e;
        }
    }

    /** Why the ring stopped; null if it did not. */
    public Throwable failure() {
        return producer.failure();
    }

    /**
     * Takes nothing more, and waits until all stages are done with what was pushed. Producers that
     * wait learn it at once. A handler that closes its own ring waits for nobody, as others wait
     * for what it has in hand. Where one thread alone pushes, that one closes, or another while it
     * does not push. A handler should not close another ring whose handlers may close this one:
     * each would wait for the other, for ever. A handler that ends the process ({@link
     * System#exit}), and who waits for what it has in hand, are not waited for, as it waits itself
     * for hooks that close rings; a filler must not end the process.
     *
     * @throws IllegalStateException if the ring stopped before that: its cause is why; also if a
     *     filler closes the ring whose slot it fills
     */
    @Override
    public void close() {
        refuseFiller();
        producer.end();
        List<Thread> ending;
        synchronized (threads) {
            ending = all();
        }
        if (!ending.contains(Thread.currentThread())) {
            Unbroken.get(
                    () -> {
                        awaitThoseWhoReturn(ending);
                        return null;
                    });
        }
        if (failure() != null) {
            throw new IllegalStateException("the ring stopped, as a handler failed", failure());
        }
    }

    /** Waits for threads to end, but for those that never do. */
    private static void awaitThoseWhoReturn(List<Thread> ending) throws InterruptedException {
        int looks = 0;
        // Who waits may be about to go on, so one look is not enough.
        while (looks < 2 && !haveEnded(ending)) {
            looks = areLeftForEver(ending) ? looks + 1 : 0;
        }
    }

    /** Whether some of them end the process, and the others wait for what those have in hand. */
    private static boolean areLeftForEver(List<Thread> ending) {
        List<Thread> left = ending.stream().filter(Thread::isAlive).toList();
        return left.stream().anyMatch(Exits::isIn)
                && left.stream().allMatch(each -> Exits.isIn(each) || StageLoop.isWaiting(each));
    }

    /** Waits a while for threads to end. */
    private static boolean haveEnded(List<Thread> ending) throws InterruptedException {
        long until = System.nanoTime() + LOOK_NANOS;
        for (Thread thread : ending) {
            long left = TimeUnit.NANOSECONDS.toMillis(until - System.nanoTime());
            thread.join(Math.max(left, 1));
        }
        return ending.stream().noneMatch(Thread::isAlive);
    }

    /** Refuses a filler that would wait for its own slot; a handler's thread waits for nobody. */
    private void refuseFiller() {
        boolean handles;
        synchronized (threads) {
            handles = all().contains(Thread.currentThread());
        }
        if (!handles) {
            filling.refuseClose();
        }
    }
}
