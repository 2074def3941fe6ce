// SPDX-License-Identifier: Apache-2.0
package dev.slipring.ring;

import dev.slipring.graph.Graph;
import dev.slipring.graph.Stages;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Supplier;

/**
 * What a {@link ThreadRing} is to be. For one thread.
 *
 * @param <T> what a slot is
 */
public final class ThreadRingBuilder<T> {

    private final Supplier<? extends T> factory;
    private final int capacity;
    private final Map<String, Work<T>> works = new LinkedHashMap<>();
    private Stages graph = Stages.of(Graph.of("main"));
    private boolean oneProducer;
    private Waiting waiting = Waiting.PARK;

    ThreadRingBuilder(Supplier<? extends T> factory, int capacity) {
        this.factory = factory;
        this.capacity = Capacity.check(capacity);
    }

    /** The stages, and which follows which; the one stage {@code main} if none is given. */
    public ThreadRingBuilder<T> graph(Graph stages) {
        graph = Stages.of(stages);
        return this;
    }

    /** One thread alone pushes, and closes. */
    public ThreadRingBuilder<T> oneProducer() {
        oneProducer = true;
        return this;
    }

    /** How threads wait; {@link Waiting#PARK} if nothing is said. */
    public ThreadRingBuilder<T> waiting(Waiting how) {
        waiting = how;
        return this;
    }

    /**
     * A stage's handler, on one thread.
     *
     * @throws IllegalArgumentException if the stage has one already
     */
    public ThreadRingBuilder<T> work(String stage, SlotHandler<T> handler) {
        return work(stage, 1, handler);
    }

    /**
     * A stage's handler, on 1 to 10,000 threads that share the slots: each goes to one of them.
     *
     * @throws IllegalArgumentException if the stage has one already, or for any other number
     */
    public ThreadRingBuilder<T> work(String stage, int threads, SlotHandler<T> handler) {
        return work(stage, threads, handler, OnFailure.stop());
    }

    /** A stage's handler on 1 to 10,000 threads, and what becomes of a slot that it fails on. */
    public ThreadRingBuilder<T> work(
            String stage, int threads, SlotHandler<T> handler, OnFailure<T> onFailure) {
        return put(stage, new Work<>(threads, handler, null, onFailure));
    }

    /** A stage's handler of batches, on 1 to 10,000 threads that share the slots. */
    public ThreadRingBuilder<T> workBatches(
            String stage, int threads, SlotBatchHandler<T> handler, OnFailure<T> onFailure) {
        return put(stage, new Work<>(threads, null, handler, onFailure));
    }

    private ThreadRingBuilder<T> put(String stage, Work<T> work) {
        if (works.put(stage, work) != null) {
            throw new IllegalArgumentException("stage '" + stage + "' has a handler already");
        }
        return this;
    }

    /**
     * Opens the ring and starts its threads.
     *
     * @throws IllegalArgumentException if a stage has no handler
     * @throws dev.slipring.graph.NoSuchStage if a handler has no stage
     */
    public ThreadRing<T> open() {
        works.keySet().forEach(graph::get);
        for (String stage : graph.names()) {
            if (!works.containsKey(stage)) {
                throw new IllegalArgumentException(
                        "stage '" + stage + "' has no handler: give it one by work(…)");
            }
        }
        Sequence producer = oneProducer ? new SPSequence(capacity) : new MPSequence(capacity);
        Map<String, Sequence> stages = new TreeMap<>();
        works.forEach((stage, work) -> stages.put(stage, work.sequence(capacity)));
        wire(producer, stages);
        producer.waiting(waiting);
        stages.values().forEach(stage -> stage.waiting(waiting));
        producer.circuit();
        ThreadRing<T> ring =
                new ThreadRing<>(new RingQueue<>(factory, capacity), producer, stages, waiting);
        works.forEach((stage, work) -> ring.start(stage, stages.get(stage), work));
        return ring;
    }

    private void wire(Sequence producer, Map<String, Sequence> stages) {
        List<Sequence> last = new ArrayList<>();
        stages.forEach(
                (name, stage) -> {
                    List<Sequence> after = graph.after(name).stream().map(stages::get).toList();
                    joint(after.isEmpty() ? List.of(producer) : after).then(stage);
                    if (graph.followers(name).isEmpty()) {
                        last.add(stage);
                    }
                });
        joint(last).then(producer);
    }

    private static Barrier joint(List<Sequence> ends) {
        return ends.size() == 1 ? ends.get(0) : FanOut.joint(ends);
    }
}
