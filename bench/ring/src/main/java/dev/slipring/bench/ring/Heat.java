// SPDX-License-Identifier: Apache-2.0
package dev.slipring.bench.ring;

import com.sun.management.OperatingSystemMXBean;

import dev.slipring.bench.ring.contest.Contestant;
import dev.slipring.bench.ring.contest.Load;
import dev.slipring.bench.ring.contest.Outcome;
import dev.slipring.bench.ring.rival.Contestants;
import dev.slipring.bench.ring.topology.Topology;

import java.lang.management.ManagementFactory;

/**
 * The runs of one contestant in a Java of its own: {@code TOPOLOGY SYSTEM CAPACITY SECONDS}. Prints
 * the nanoseconds and the processors' nanoseconds a message, the mean of runs of a twentieth of a
 * second or more, after half as many seconds that do not count.
 */
public final class Heat {

    private static final long LEAST_NANOS = 50_000_000;
    private static final int LEAST_RUNS = 5;
    private static final long FIRST = 50_000;
    private static final long MOST = 50_000_000;

    private Heat() {}

    /** Runs and prints. */
    public static void main(String[] arguments) throws Exception {
        Topology topology = Topology.named(arguments[0]);
        Contestant contestant = Contestants.named(arguments[1]);
        int capacity = Integer.parseInt(arguments[2]);
        long nanos = Math.round(Double.parseDouble(arguments[3]) * 1e9);
        long messages = warm(topology, contestant, capacity, nanos / 2);
        Load load = new Load(messages, capacity, topology.terms());
        OperatingSystemMXBean system =
                (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();
        long start = System.nanoTime();
        long cpu = system.getProcessCpuTime();
        double wall = 0;
        int runs = 0;
        while (runs < LEAST_RUNS || System.nanoTime() - start < nanos) {
            wall += once(topology, contestant, load).nanos();
            runs++;
        }
        cpu = system.getProcessCpuTime() - cpu;
        double all = (double) runs * messages;
        System.out.println(wall / all + " " + cpu / all);
        // Threads of rivals that cannot be ended must not keep this alive.
        System.exit(0);
    }

    /** Runs for some time; returns with how many messages a run takes long enough. */
    private static long warm(Topology topology, Contestant contestant, int capacity, long nanos)
            throws Exception {
        long messages = FIRST;
        long start = System.nanoTime();
        while (true) {
            long took =
                    once(topology, contestant, new Load(messages, capacity, topology.terms()))
                            .nanos();
            boolean longEnough = took >= LEAST_NANOS || messages >= MOST;
            if (longEnough && System.nanoTime() - start >= nanos) {
                return messages;
            }
            messages = longEnough ? messages : messages * 2;
        }
    }

    private static Outcome once(Topology topology, Contestant contestant, Load load)
            throws Exception {
        return contestant.run(topology.shape(), load).check(topology.shape(), load);
    }
}
