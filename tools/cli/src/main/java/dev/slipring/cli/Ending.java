// SPDX-License-Identifier: Apache-2.0
package dev.slipring.cli;

/**
 * Does something before the process ends if it is told to end, by Ctrl-C or SIGTERM, while this is
 * open.
 */
final class Ending implements AutoCloseable {

    private final Thread hook;

    Ending(Runnable first) {
        hook = new Thread(first, "slipring-ending");
        Runtime.getRuntime().addShutdownHook(hook);
    }

    @Override
    public void close() {
        try {
            Runtime.getRuntime().removeShutdownHook(hook);
        } catch (IllegalStateException e) {
            // The process is ending already, so the hook runs and cannot be removed.
        }
    }
}
