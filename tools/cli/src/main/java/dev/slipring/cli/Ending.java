// SPDX-License-Identifier: Apache-2.0
package dev.slipring.cli;

/**
 * What is done first when the process is told to end, by Ctrl-C or by SIGTERM, while this is open.
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
            // The process is ending, and the hook at work.
        }
    }
}
