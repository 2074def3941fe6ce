// SPDX-License-Identifier: Apache-2.0
package dev.slipring.bench.ring.contest;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;

/** The threads of one run, and the sums that they compute. */
public final class Crew {

    /** What a thread does. */
    @FunctionalInterface
    public interface Task {

        /** Runs to its end. */
        void run() throws Exception;
    }

    /** What a producer does. */
    @FunctionalInterface
    public interface Publishing {

        /** Publishes the numbers from {@code from} on, up to but without {@code to}. */
        void publish(long from, long to) throws Exception;
    }

    private final Shape shape;
    private final Load load;
    private final List<List<Work>> work = new ArrayList<>();
    private final List<Thread> consumers = new ArrayList<>();
    private final AtomicReference<Throwable> broken = new AtomicReference<>();

    /** A crew without threads. */
    public Crew(Shape shape, Load load) {
        this.shape = shape;
        this.load = load;
    }

    /** The work of one more thread of a stage. Stages are to be asked for in their order. */
    public Work work(int level, int stage) {
        int index = stage;
        for (int i = 0; i < level; i++) {
            index += shape.levels().get(i).size();
        }
        while (work.size() <= index) {
            work.add(new ArrayList<>());
        }
        Work one = Work.of(shape, load, level, stage);
        work.get(index).add(one);
        return one;
    }

    /** Starts a thread that consumes. */
    public void consume(Task task) {
        Thread thread = thread(task);
        consumers.add(thread);
        thread.start();
    }

    private Thread thread(Task task) {
        Thread thread =
                new Thread(
                        () -> {
                            try {
                                task.run();
                            } catch (Throwable e) {
                                broken.compareAndSet(null, e);
                                // Ends the Java of a run, as others may wait for this thread.
                                throw new IllegalStateException("a thread broke", e);
                            }
                        });
        thread.setDaemon(true);
        return thread;
    }

    /** Publishes from all producers, then waits until the consumers have ended. */
    public Outcome run(Publishing publishing, Task end) throws Exception {
        long share = shape.share(load.messages());
        List<Thread> others = new ArrayList<>();
        for (int i = 1; i < shape.producers(); i++) {
            long from = share * i;
            long to = i == shape.producers() - 1 ? load.messages() : from + share;
            others.add(thread(() -> publishing.publish(from, to)));
        }
        Stretch stretch = new Stretch();
        others.forEach(Thread::start);
        publishing.publish(0, shape.producers() == 1 ? load.messages() : share);
        for (Thread other : others) {
            other.join();
        }
        end.run();
        for (Thread consumer : consumers) {
            consumer.join();
        }
        long[] nanos = stretch.nanos();
        if (broken.get() != null) {
            throw new IllegalStateException("a thread broke", broken.get());
        }
        return outcome(nanos);
    }

    /** The sums of all threads. */
    private Outcome outcome(long[] nanos) {
        return new Outcome(
                nanos[0],
                nanos[1],
                work.stream().map(each -> each.stream().mapToLong(Work::sum).sum()).toList(),
                work.stream().map(each -> each.stream().mapToDouble(Work::results).sum()).toList());
    }
}
