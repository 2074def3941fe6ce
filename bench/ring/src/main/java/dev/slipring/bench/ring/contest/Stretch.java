// SPDX-License-Identifier: Apache-2.0
package dev.slipring.bench.ring.contest;

import com.sun.management.OperatingSystemMXBean;

import java.lang.management.ManagementFactory;

/** The time since it was made: the clock's, and that of all processors for this process. */
public final class Stretch {

    private static final OperatingSystemMXBean SYSTEM =
            (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();

    private final long cpu = SYSTEM.getProcessCpuTime();
    private final long start = System.nanoTime();

    /** Nanoseconds, and the processors' nanoseconds. */
    public long[] nanos() {
        long wall = System.nanoTime() - start;
        return new long[] {wall, SYSTEM.getProcessCpuTime() - cpu};
    }
}
