// SPDX-License-Identifier: Apache-2.0
package dev.slipring.threads;

import java.util.Arrays;

/**
 * Threads that end the process ({@link System#exit}). Such a call waits for the hooks that run at
 * the end, and does not return: a hook that waited for its thread would do so for ever.
 */
public final class Exits {

    private static final String RUNTIME = Runtime.class.getName();

    private Exits() {}

    /** Whether a thread is about to end the process, or waits while another one does. */
    public static boolean isIn(Thread thread) {
        return Arrays.stream(thread.getStackTrace())
                .anyMatch(
                        at ->
                                at.getMethodName().equals("exit")
                                        && at.getClassName().equals(RUNTIME));
    }
}
