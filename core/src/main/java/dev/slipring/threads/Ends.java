// SPDX-License-Identifier: Apache-2.0
package dev.slipring.threads;

import java.util.List;

/** The ends of threads. */
public final class Ends {

    private Ends() {}

    /** Waits until threads have ended; an interrupt ends nothing, and is not lost. */
    public static void await(List<Thread> ending) {
        boolean interrupted = false;
        for (Thread thread : ending) {
            while (thread.isAlive()) {
                try {
                    thread.join();
                } catch (InterruptedException e) {
                    interrupted = true;
                }
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
