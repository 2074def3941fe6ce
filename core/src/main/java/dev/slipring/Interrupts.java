// SPDX-License-Identifier: Apache-2.0
package dev.slipring;

import java.util.Objects;

/**
 * What becomes of an interrupt that a handler leaves behind. On a thread made here it ends with the
 * handler, as nobody else knows the thread. A thread of an executor, or of the caller, keeps it:
 * that is how an executor says that it is shut down.
 */
final class Interrupts {

    private Interrupts() {}

    /** A handler for workers that run in a certain way. */
    static Handler contain(WorkOptions how, Handler handler) {
        Objects.requireNonNull(handler, "handler");
        return how.executor() != null
                ? keep(handler)
                : delivery -> {
                    try {
                        handler.handle(delivery);
                    } finally {
                        Thread.interrupted();
                    }
                };
    }

    /** The same for a handler of whole claims. */
    static BatchHandler containAll(WorkOptions how, BatchHandler handler) {
        Objects.requireNonNull(handler, "handler");
        boolean keeps = how.executor() != null;
        return claim -> {
            try {
                handler.handle(claim);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw e;
            } finally {
                if (!keeps) {
                    Thread.interrupted();
                }
            }
        };
    }

    /** A handler whose thread keeps its interrupts. */
    static Handler keep(Handler handler) {
        Objects.requireNonNull(handler, "handler");
        return delivery -> {
            try {
                handler.handle(delivery);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw e;
            }
        };
    }
}
