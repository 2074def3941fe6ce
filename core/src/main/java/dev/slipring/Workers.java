// SPDX-License-Identifier: Apache-2.0
package dev.slipring;

import dev.slipring.graph.NoSuchStage;
import dev.slipring.threads.Exits;
import dev.slipring.threads.Unbroken;
import dev.slipring.watch.Watcher;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/**
 * Threads that claim messages of a stage and call a handler, until closed. While a handler runs,
 * the lease of its claim is extended. If the store fails they try again, ever more slowly, until it
 * is back; if the store is closed they end, and what they have in hand comes again when its lease
 * runs out. So close workers before their store. Thread-safe.
 */
public final class Workers implements AutoCloseable {

    /** How long a close waits before it looks whether there is anybody to wait for. */
    private static final long LOOK_MILLIS = 500;

    private final Claiming stage;
    private final boolean ours;
    private final Watcher watcher;
    private final Patience patience;
    private final LeaseKeeper keeper;
    private final Crew crew;
    private final HandOver handOver;
    private final AtomicInteger left;
    private final CountDownLatch running;

    /** A flag for each worker: set when it begins, or when it no longer may. */
    private final List<AtomicBoolean> tasks = new ArrayList<>();

    /** The threads that work. */
    private final Set<Thread> threads = ConcurrentHashMap.newKeySet();

    private volatile boolean stopping;

    /** Makes the crew of some workers. */
    @FunctionalInterface
    interface Hiring {

        /** A crew whose leases are kept, until it is to end. */
        Crew hire(LeaseKeeper keeper, Patience patience, BooleanSupplier ending);
    }

    /**
     * Begins to work.
     *
     * @param most how many messages are handed over at a time, at most
     */
    Workers(Claiming stage, WorkOptions how, int most, Hiring hiring) {
        this.stage = stage;
        this.ours = how.executor() == null;
        this.watcher = stage.watcher();
        this.patience = new Patience(watcher);
        this.left = new AtomicInteger(how.threads());
        this.running = new CountDownLatch(how.threads());
        String name = "slipring-" + stage.ring() + "-" + stage.name();
        this.keeper = new LeaseKeeper(name + "-leases", stage.spec().lease().toMillis(), watcher);
        this.crew = hiring.hire(keeper, patience, this::isEnding);
        this.handOver = new HandOver(crew.shares() ? most : 1);
        Executor executor =
                how.executor() != null
                        ? how.executor()
                        : task -> {
                            Thread thread = new Thread(task, name);
                            thread.setDaemon(true);
                            thread.start();
                        };
        for (int i = 0; i < how.threads(); i++) {
            tasks.add(new AtomicBoolean());
        }
        boolean accepted = false;
        try {
            tasks.forEach(begun -> executor.execute(() -> run(begun)));
            accepted = true;
        } finally {
            if (!accepted) {
                // The executor refused: those that were taken end, and its error goes to the
                // caller.
                stop();
            }
        }
    }

    private void run(AtomicBoolean begun) {
        if (!begun.compareAndSet(false, true)) {
            return;
        }
        threads.add(Thread.currentThread());
        HandOver.Place place = new HandOver.Place();
        try {
            while (take(place)) {
                if (place.hand() == null) {
                    turn();
                } else {
                    handle(place);
                }
            }
        } finally {
            threads.remove(Thread.currentThread());
            ended();
        }
    }

    private void handle(HandOver.Place place) {
        try {
            crew.handle(place.hand(), place.index());
        } catch (RuntimeException | Error e) {
            bear(e);
        }
        // So that its messages do not stay in memory while this waits for the next one.
        place.clear();
    }

    private boolean take(HandOver.Place place) {
        while (ours || !Thread.currentThread().isInterrupted()) {
            if (ours) {
                // It was meant for a handler, or left by a listener: only close ends such a thread.
                Thread.interrupted();
            }
            try {
                return handOver.take(place);
            } catch (InterruptedException e) {
                if (!ours) {
                    Thread.currentThread().interrupt();
                }
            }
        }
        // The executor interrupts its threads to shut down: all workers end, and messages that were
        // handed over already go back.
        if (!stopping) {
            watcher.storeFailed(
                    new SlipringException(
                            "a thread that works on stage '"
                                    + stage.name()
                                    + "' was interrupted, its workers end"));
        }
        stop();
        return handOver.poll(place);
    }

    private void turn() {
        SharedClaim hand = null;
        try {
            hand = attempt(crew::lead);
        } finally {
            if (hand != null || !isEnding()) {
                handOver.give(crew.shares() ? hand : null);
            } else {
                handOver.close();
            }
        }
        if (hand != null) {
            SharedClaim own = hand;
            attempt(
                    () -> {
                        crew.begin(own);
                        return own;
                    });
        }
    }

    /** Takes a step; if the store fails, waits a while and returns null. */
    private SharedClaim attempt(Supplier<SharedClaim> step) {
        try {
            SharedClaim hand = step.get();
            patience.works();
            return hand;
        } catch (RuntimeException | Error e) {
            bear(e);
            return null;
        }
    }

    /**
     * Survives whatever broke, even an {@link Error}: nobody would notice that a worker has ended.
     */
    private void bear(Throwable broken) {
        if (broken instanceof Fenced) {
            // The claim was handed on while the handler ran; somebody else has it now.
            patience.works();
        } else if (broken instanceof NoSuchRing || broken instanceof NoSuchStage) {
            end("gone", broken);
        } else if (broken instanceof MadeAnew anew) {
            end(anew);
        } else if (stage.isClosed()) {
            end("closed", broken);
        } else {
            patience.bear(broken);
        }
    }

    private void end(String what, Throwable why) {
        end(
                new SlipringException(
                        "stage '"
                                + stage.name()
                                + "' is "
                                + what
                                + ", its workers end: "
                                + why.getMessage(),
                        why));
    }

    /** There is nothing for them to work on any more: all end, and listeners hear of it once. */
    private synchronized void end(SlipringException why) {
        if (!stopping) {
            watcher.storeFailed(why);
            stop();
        }
    }

    private void ended() {
        boolean last = left.decrementAndGet() == 0;
        // A listener that hears of what is said last, and closes these workers, must not wait.
        boolean others = threads.add(Thread.currentThread());
        try {
            if (last) {
                crew.finish();
            }
        } finally {
            if (others) {
                threads.remove(Thread.currentThread());
            }
            if (last) {
                keeper.close();
            }
            running.countDown();
        }
    }

    private boolean isEnding() {
        return stopping || !ours && Thread.currentThread().isInterrupted();
    }

    /** Begins to stop: handlers finish the message in hand, and the rest is given back. */
    public void stop() {
        stopping = true;
        patience.end();
        // An executor may never come to a task that still waits there.
        tasks.stream().filter(begun -> begun.compareAndSet(false, true)).forEach(task -> ended());
        stage.wakeAll();
    }

    /**
     * Waits until every handler has finished; after {@link #stop} it is a {@link #close} with a
     * limit. Handlers that still run then go on. If the process ends before they do, what they have
     * in hand comes again, to others, when its lease runs out.
     *
     * @param time how long to wait at most; zero or less to look only
     * @return whether that came about in time; false also if the thread is interrupted
     * @throws IllegalStateException in a handler of these workers, which would wait for itself, in
     *     a listener that hears of one of their leases, and in one that hears of a push to the ring
     */
    public boolean await(Duration time) {
        stage.refuseListener("wait for workers");
        if (isOfThese()) {
            throw new IllegalStateException(
                    "a handler must not wait for its own workers, nor a listener that hears of"
                            + " their leases");
        }
        try {
            return running.await(Span.nanos(time), TimeUnit.NANOSECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    /**
     * Stops and waits until every handler has finished, without limit. A handler may close its own
     * workers, for which it does not wait, nor does a listener that hears of one of their leases;
     * those of another stage it may only {@link #stop}, as two that wait for each other would do so
     * for ever. A handler that ends the process ({@link System#exit}) is not waited for, as it
     * waits itself for hooks that close workers.
     *
     * @throws IllegalStateException in a listener that hears of a push to the ring: a handler that
     *     pushes would wait for the listener; {@link #stop} does not wait
     */
    @Override
    public void close() {
        stage.refuseListener("close workers");
        stop();
        if (isOfThese()) {
            // A handler closes its own workers: they end when it returns, it cannot wait for that.
            return;
        }
        if (!Unbroken.get(this::awaitThoseWhoReturn)) {
            // The others have ended, and who is left says nothing any more.
            crew.finish();
            keeper.close();
        }
    }

    /** Whether these workers wait for what this thread does. */
    private boolean isOfThese() {
        return threads.contains(Thread.currentThread()) || keeper.isHere();
    }

    /** Returns false if those who are left never return, as they end the process. */
    private boolean awaitThoseWhoReturn() throws InterruptedException {
        while (!running.await(LOOK_MILLIS, TimeUnit.MILLISECONDS)) {
            if (threads.stream().filter(Exits::isIn).count() == running.getCount()) {
                return false;
            }
        }
        return true;
    }
}
