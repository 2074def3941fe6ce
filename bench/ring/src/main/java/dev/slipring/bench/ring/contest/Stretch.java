// SPDX-License-Identifier: Apache-2.0
package dev.slipring.bench.ring.contest;

import com.sun.management.OperatingSystemMXBean;

import java.lang.management.ManagementFactory;

/** The time since this was made: by the clock, and of all processors for this process. */
public final class Stretch {

    private static final OperatingSystemMXBean SYSTEM =
            (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();

    private final long cpu = SYSTEM.getProcessCpuTime();
    private final long start = System.nanoTime();

    /** Nanoseconds by the clock, and nanoseconds of processor time. */
    public long[] nanos() {
        long wall = System.nanoTime() - start;
        return new long[] {wall, SYSTEM.getProcessCpuTime() - cpu};
    }
}
