// SPDX-License-Identifier: Apache-2.0
package dev.slipring.engine;

import dev.slipring.SlipringException;

import java.lang.System.Logger.Level;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

/**
 * A daemon thread that looks again and again whether somebody else may have changed a store, and
 * tells those who listen. It runs as long as anybody listens. Safe for use by several threads.
 */
public final class ChangeWatch {

    /** How long to wait after a failure: what was lacking, such as memory, may be there again. */
    private static final long BROKEN_MILLIS = 500;

    private final String name;
    private final BooleanSupplier look;
    private final Pace pace;
    private final Hearers hearers = new Hearers();
    private Thread thread;
    private boolean failing;

    /** How the time between two looks is passed. Used by the watch's thread only. */
    @FunctionalInterface
    public interface Pace {

        /**
         * Waits.
         *
         * @param changed whether the last look saw a change
         * @param tookNanos how long it took
         */
        void pause(boolean changed, long tookNanos) throws InterruptedException;
    }

    /**
     * A watch that nobody has asked for yet.
     *
     * @param name of its thread
     * @param look whether there was a change since the last look; used by the watch's thread only.
     *     It may fail, with a {@link SlipringException} where the store is away
     */
    public ChangeWatch(String name, BooleanSupplier look, Pace pace) {
        this.name = name;
        this.look = look;
        this.pace = pace;
    }

    /** Calls back until the result is closed. */
    public synchronized AutoCloseable listen(Runnable changed) {
        if (thread == null) {
            Thread own = new Thread(this::watch, name);
            own.setDaemon(true);
            // The system may have no thread to give; the next who listens asks again.
            own.start();
            thread = own;
        }
        return hearers.add(changed);
    }

    /** Whether anybody listens. */
    public boolean isWanted() {
        return !hearers.isEmpty();
    }

    /** Forgets all who listen; the thread ends behind its next pause. */
    public void close() {
        hearers.clear();
    }

    /**
     * Looks, and tells of a change; also for a pace, in the midst of a pause. The first look that
     * fails counts as a change: those who listen then ask the store themselves, and learn what is
     * wrong.
     */
    public boolean look() {
        boolean changed;
        try {
            changed = look.getAsBoolean();
            failing = false;
        } catch (RuntimeException | Error e) {
            changed = !failing;
            failing = true;
            boolean expected = e instanceof SlipringException || !changed;
            Log.write(expected ? Level.DEBUG : Level.WARNING, name + ": a look failed", e);
        }
        if (changed) {
            hearers.tell();
        }
        return changed;
    }

    private void watch() {
        try {
            while (goesOn()) {
                turn();
            }
        } catch (InterruptedException e) {
            Log.write(Level.WARNING, name + " was interrupted and has ended", e);
        } finally {
            ended();
        }
    }

    /**
     * One look and one pause. A failure must not end the thread: those who listen registered once,
     * and would hear nothing more.
     */
    private void turn() throws InterruptedException {
        try {
            long start = System.nanoTime();
            boolean changed = look();
            pace.pause(changed, System.nanoTime() - start);
        } catch (RuntimeException | Error broken) {
            Log.write(Level.WARNING, name + ": a pause failed", broken);
            TimeUnit.MILLISECONDS.sleep(BROKEN_MILLIS);
        }
    }

    /** Whether anybody listens; if not, the next listener starts a new thread. */
    private synchronized boolean goesOn() {
        if (!isWanted()) {
            thread = null;
            return false;
        }
        return true;
    }

    /** Whoever listens next starts a new thread, however this one ended. */
    private synchronized void ended() {
        if (thread == Thread.currentThread()) {
            thread = null;
        }
    }
}
