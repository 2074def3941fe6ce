// SPDX-License-Identifier: Apache-2.0
package dev.slipring.waiting;

import dev.slipring.StoreFailed;
import dev.slipring.engine.Store;

/** Hears of changes by other processes, from the first wait on, and raises the signal. */
public final class Ear implements AutoCloseable {

    private final Store store;
    private final Signal signal;
    private AutoCloseable listening;
    private boolean closed;

    /** An ear that does not listen yet. */
    public Ear(Store store, Signal signal) {
        this.store = store;
        this.signal = signal;
    }

    /** Listens from now on. */
    public void open() {
        if (begins()) {
            // Whoever waits has looked before this listened: nobody may tell of what came in
            // between.
            signal.raise();
        }
    }

    private synchronized boolean begins() {
        boolean begins = listening == null && !closed;
        if (begins) {
            listening = store.listen(signal::raise);
        }
        return begins;
    }

    @Override
    public synchronized void close() {
        closed = true;
        if (listening != null) {
            try {
                listening.close();
            } catch (Exception e) {
                throw new StoreFailed("the store did not stop listening to other processes", e);
            }
            listening = null;
        }
    }
}
