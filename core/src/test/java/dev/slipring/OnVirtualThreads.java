// SPDX-License-Identifier: Apache-2.0
package dev.slipring;

import org.junit.jupiter.api.Assumptions;

/** Virtual threads, which the Java that this is compiled for does not have. */
public final class OnVirtualThreads {

    private OnVirtualThreads() {}

    /** Starts one; skips the test where Java has none. */
    public static Thread start(Runnable task) {
        try {
            return (Thread)
                    Thread.class.getMethod("startVirtualThread", Runnable.class).invoke(null, task);
        } catch (ReflectiveOperationException older) {
            return Assumptions.abort(
                    "needs: virtual threads, which Java has from 21 on; this is "
                            + Runtime.version().feature());
        }
    }
}
