// SPDX-License-Identifier: Apache-2.0
package dev.slipring.threads;

import java.util.List;

/** Waits that an interrupt does not end. It is not lost: the thread is interrupted afterwards. */
public final class Unbroken {

    /** A wait, which is begun again after an interrupt. */
    @FunctionalInterface
    public interface Wait<T> {
        /** Waits, and returns what was waited for. */
        T get() throws InterruptedException;
    }

    private Unbroken() {}

    /** Waits, and returns what was waited for. */
    public static <T> T get(Wait<T> wait) {
        boolean interrupted = false;
        try {
            while (true) {
                try {
                    return wait.get();
                } catch (InterruptedException e) {
                    interrupted = true;
                }
            }
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    /** Waits until threads have ended. */
    public static void join(List<Thread> ending) {
        get(
                () -> {
                    for (Thread thread : ending) {
                        thread.join();
                    }
                    return null;
                });
    }
}
