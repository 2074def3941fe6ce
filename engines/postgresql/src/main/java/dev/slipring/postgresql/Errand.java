// SPDX-License-Identifier: Apache-2.0
package dev.slipring.postgresql;

import dev.slipring.engine.Log;
import dev.slipring.engine.Uninterrupted;

import java.lang.System.Logger.Level;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongSupplier;

/**
 * Work of a thread of its own, done when somebody asks for it: once for all who asked before it
 * began. The thread begins with the first who asks. Any thread may ask.
 */
final class Errand implements AutoCloseable {

    /** How long to wait after work that broke off. */
    private static final long BROKEN_NANOS = TimeUnit.SECONDS.toNanos(1);

    private final String name;
    private final LongSupplier work;
    private volatile boolean asked;
    private volatile boolean closed;
    private volatile Thread thread;

    /** Work that says how many nanoseconds pass at least until it is done again. */
    Errand(String name, LongSupplier work) {
        this.name = name;
        this.work = work;
    }

    /** Asks for it. */
    void ask() {
        if (asked) {
            return;
        }
        asked = true;
        if (thread == null) {
            try {
                start();
            } catch (OutOfMemoryError noThread) {
                // The push or claim after which this was asked for has happened; the next who asks
                // tries again.
                asked = false;
                Log.write(Level.WARNING, name + " cannot begin", noThread);
            }
        }
        LockSupport.unpark(thread);
    }

    private synchronized void start() {
        if (thread == null && !closed) {
            Thread own = new Thread(this::run, name);
            own.setDaemon(true);
            own.start();
            thread = own;
        }
    }

    private void run() {
        while (!closed) {
            if (!asked) {
                LockSupport.park(this);
                continue;
            }
            asked = false;
            pause(attempt());
        }
    }

    /** Does the work; whatever it meets, the thread goes on for the next who asks. */
    private long attempt() {
        try {
            return work.getAsLong();
        } catch (RuntimeException | Error broken) {
            Log.write(Level.WARNING, name + " broke off", broken);
            return BROKEN_NANOS;
        }
    }

    /** Waits out the time, whoever asks meanwhile. */
    private void pause(long nanos) {
        long until = System.nanoTime() + nanos;
        long left = nanos;
        while (!closed && left > 0) {
            LockSupport.parkNanos(this, left);
            left = until - System.nanoTime();
        }
    }

    /** Ends it, once what is going on is done. */
    @Override
    public void close() {
        Thread own;
        synchronized (this) {
            closed = true;
            own = thread;
        }
        LockSupport.unpark(own);
        if (own != null) {
            Uninterrupted.awaitEnd(own);
        }
    }
}
