// SPDX-License-Identifier: Apache-2.0
package dev.slipring.engine;

import java.util.function.Supplier;

/**
 * A call of a server that an interrupt of its thread does not spoil: one that came before would
 * have a pool refuse the connection, and have a virtual thread close the socket that it uses.
 */
public final class Uninterrupted {

    private Uninterrupted() {}

    /**
     * Calls, and returns what it returns. An interrupt that came before is not seen by the call,
     * and not lost: the thread is interrupted again when it is over.
     */
    public static <T> T call(Supplier<T> call) {
        boolean interrupted = Thread.interrupted();
        try {
            return call.get();
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }
}
