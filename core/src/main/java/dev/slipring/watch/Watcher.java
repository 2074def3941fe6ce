// SPDX-License-Identifier: Apache-2.0
package dev.slipring.watch;

import dev.slipring.Delivery;
import dev.slipring.Listener;
import dev.slipring.SlipringException;
import dev.slipring.engine.Log;
import dev.slipring.graph.NoSuchStage;

import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.Function;

/** Tells the listener and Flight Recorder what happens in a ring. */
public final class Watcher {

    private final String ring;
    private final Listener listener;

    /** A watcher of a ring. */
    public Watcher(String ring, Listener listener) {
        this.ring = ring;
        this.listener = listener;
    }

    /** Messages became durable. */
    public void pushed(int messages, long bytes, long tookNanos) {
        PushEvent event = new PushEvent();
        if (event.shouldCommit()) {
            event.ring = ring;
            event.messages = messages;
            event.bytes = bytes;
            event.took = tookNanos;
            event.commit();
        }
        tell(heard -> heard.pushed(ring, messages, bytes, Duration.ofNanos(tookNanos)));
    }

    /** A push was refused. */
    public void full(int messages) {
        FullEvent event = new FullEvent();
        if (event.shouldCommit()) {
            event.ring = ring;
            event.messages = messages;
            event.commit();
        }
        tell(heard -> heard.full(ring, messages));
    }

    /** Messages came into a worker's hand. */
    public void claimed(String stage, List<Delivery> deliveries, long tookNanos) {
        int messages = deliveries.size();
        int redelivered = (int) deliveries.stream().filter(it -> it.attempt() > 1).count();
        ClaimEvent event = new ClaimEvent();
        if (event.shouldCommit()) {
            event.ring = ring;
            event.stage = stage;
            event.messages = messages;
            event.redelivered = redelivered;
            event.took = tookNanos;
            event.commit();
        }
        tell(
                heard ->
                        heard.claimed(
                                ring, stage, messages, redelivered, Duration.ofNanos(tookNanos)));
    }

    /** A worker's word was taken. */
    public void settled(String stage, int done, int failed, int dead, long tookNanos) {
        SettleEvent event = new SettleEvent();
        if (event.shouldCommit()) {
            event.ring = ring;
            event.stage = stage;
            event.done = done;
            event.failed = failed;
            event.dead = dead;
            event.took = tookNanos;
            event.commit();
        }
        tell(heard -> heard.settled(ring, stage, done, failed, dead, Duration.ofNanos(tookNanos)));
    }

    /** A worker's word was refused. */
    public void fenced(String stage) {
        SettleEvent event = new SettleEvent();
        if (event.shouldCommit()) {
            event.ring = ring;
            event.stage = stage;
            event.fenced = true;
            event.commit();
        }
        tell(heard -> heard.fenced(ring, stage));
    }

    /** A message failed in a handler. */
    public void failed(String stage, Delivery delivery, Throwable error) {
        failed(stage, List.of(delivery), it -> error);
    }

    /**
     * Messages failed in a handler. Each is told; the log has a line for each error, and not for
     * each message of a batch that failed by one.
     *
     * @param why for each of them, what was thrown
     */
    public void failed(String stage, List<Delivery> deliveries, Function<Delivery, Throwable> why) {
        Map<Throwable, List<Delivery>> errors = new IdentityHashMap<>();
        for (Delivery delivery : deliveries) {
            Throwable error = why.apply(delivery);
            errors.computeIfAbsent(error, it -> new ArrayList<>()).add(delivery);
            tellFailed(stage, delivery, error);
        }
        errors.forEach((error, of) -> Log.HANDLERS.line(Level.WARNING, words(stage, of), error));
    }

    private void tellFailed(String stage, Delivery delivery, Throwable error) {
        FailedEvent event = new FailedEvent();
        if (event.shouldCommit()) {
            event.ring = ring;
            event.stage = stage;
            event.message = delivery.id();
            event.attempt = delivery.attempt();
            event.error = words(error);
            event.commit();
        }
        tell(heard -> heard.failed(ring, stage, delivery, error));
    }

    private String words(String stage, List<Delivery> failed) {
        Delivery first = failed.get(0);
        String which =
                failed.size() == 1
                        ? "message " + first.id() + " failed, attempt " + first.attempt()
                        : failed.size() + " messages failed, the first is " + first.id();
        return "ring " + ring + ", stage " + stage + ": " + which;
    }

    /** The store failed. */
    public void storeFailed(SlipringException error) {
        String words = "ring " + ring + ": " + error.getMessage();
        // Where a fault of the program is, is not in the words.
        Log.write(Level.WARNING, words, isFault(error.getCause()) ? error : null);
        StoreFailedEvent event = new StoreFailedEvent();
        if (event.shouldCommit()) {
            event.ring = ring;
            event.error = error.getMessage();
            event.commit();
        }
        tell(heard -> heard.storeFailed(ring, error));
    }

    /** Whether it is one of the program, and not of a store or of what was asked. */
    private static boolean isFault(Throwable cause) {
        return cause instanceof Error
                || cause instanceof RuntimeException
                        && !(cause instanceof SlipringException)
                        && !(cause instanceof NoSuchStage);
    }

    private void tell(Consumer<Listener> what) {
        if (listener != Listener.NONE) {
            try {
                what.accept(listener);
            } catch (Throwable e) { // a checked one too, which other languages do not declare
                keepInterrupt(e);
                Log.write(Level.WARNING, "the listener of ring " + ring + " failed", e);
            }
        }
    }

    /** An interrupt was meant for the thread, whose executor may be shut down. */
    private static void keepInterrupt(Throwable thrown) {
        if (thrown instanceof InterruptedException) {
            Thread.currentThread().interrupt();
        }
    }

    /** What a failure says, for people; its own words are code of the application. */
    public static String words(Throwable error) {
        try {
            return error.toString();
        } catch (RuntimeException | Error mute) {
            return error.getClass().getName();
        }
    }
}
