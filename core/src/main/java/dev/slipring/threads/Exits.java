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
        return isIn(thread, RUNTIME, "exit");
    }

    /** Whether a thread is in a method of a class just now. */
    public static boolean isIn(Thread thread, String type, String method) {
        return Arrays.stream(thread.getStackTrace())
                .anyMatch(
                        at -> at.getMethodName().equals(method) && at.getClassName().equals(type));
    }
}
