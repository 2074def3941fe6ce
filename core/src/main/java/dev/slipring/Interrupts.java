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
        return delivery -> run(how.executor() != null, () -> handler.handle(delivery));
    }

    /** The same for a handler of whole claims. */
    static BatchHandler containAll(WorkOptions how, BatchHandler handler) {
        Objects.requireNonNull(handler, "handler");
        return claim -> run(how.executor() != null, () -> handler.handle(claim));
    }

    /** A handler whose thread keeps its interrupts. */
    static Handler keep(Handler handler) {
        Objects.requireNonNull(handler, "handler");
        return delivery -> run(true, () -> handler.handle(delivery));
    }

    /** A call of a handler. */
    private interface Call {
        void run() throws Exception;
    }

    private static void run(boolean keeps, Call call) throws Exception {
        try {
            call.run();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw e;
        } finally {
            if (!keeps) {
                Thread.interrupted();
            }
        }
    }
}
