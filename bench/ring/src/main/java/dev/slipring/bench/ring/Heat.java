// SPDX-License-Identifier: Apache-2.0
package dev.slipring.bench.ring;

import com.sun.management.OperatingSystemMXBean;

import dev.slipring.bench.ring.contest.Contestant;
import dev.slipring.bench.ring.contest.Load;
import dev.slipring.bench.ring.contest.Outcome;
import dev.slipring.bench.ring.rival.Contestants;
import dev.slipring.bench.ring.topology.Topology;

import java.lang.management.ManagementFactory;
import java.util.Arrays;

/**
 * The runs of one contestant in a Java of its own: {@code TOPOLOGY SYSTEM CAPACITY MESSAGES RUNS}.
 * Prints the median of the runs' nanoseconds and of the processor's nanoseconds a message, after
 * half as many runs that do not count.
 */
public final class Heat {

    private Heat() {}

    /** Runs and prints. */
    public static void main(String[] arguments) throws Exception {
        Topology topology = Topology.named(arguments[0]);
        Contestant contestant = Contestants.named(arguments[1]);
        Load load =
                new Load(
                        Long.parseLong(arguments[3]),
                        Integer.parseInt(arguments[2]),
                        topology.terms());
        int runs = Integer.parseInt(arguments[4]);
        for (int i = 0; i < (runs + 1) / 2; i++) {
            once(topology, contestant, load);
        }
        double[] nanos = new double[runs];
        double[] cpu = new double[runs];
        OperatingSystemMXBean system =
                (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();
        for (int i = 0; i < runs; i++) {
            long before = system.getProcessCpuTime();
            nanos[i] = (double) once(topology, contestant, load).nanos() / load.messages();
            cpu[i] = (double) (system.getProcessCpuTime() - before) / load.messages();
        }
        Arrays.sort(nanos);
        Arrays.sort(cpu);
        System.out.println(nanos[runs / 2] + " " + cpu[runs / 2]);
        // Threads of rivals that cannot be ended must not keep this alive.
        System.exit(0);
    }

    private static Outcome once(Topology topology, Contestant contestant, Load load)
            throws Exception {
        return contestant.run(topology.shape(), load).check(topology.shape(), load);
    }
}
