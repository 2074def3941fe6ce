// SPDX-License-Identifier: Apache-2.0
package dev.slipring.bench.ring;

import dev.slipring.bench.ring.contest.Contestant;
import dev.slipring.bench.ring.contest.Load;
import dev.slipring.bench.ring.contest.Outcome;
import dev.slipring.bench.ring.rival.Contestants;
import dev.slipring.bench.ring.topology.Topologies;
import dev.slipring.bench.ring.topology.Topology;

/**
 * The runs of one contestant in a Java of its own: {@code TOPOLOGY SYSTEM CAPACITY SECONDS}. Prints
 * the nanoseconds and the nanoseconds of processor time per message: the mean of runs of a
 * twentieth of a second or more. Runs before these do not count, so that the compiler is done by
 * then.
 *
 * <p>The third number is the longest {@linkplain LineWay way of a line} measured around the runs.
 * Runs with processors far apart count like all others, but this number shows that there were some.
 */
public final class Heat {

    private static final long LEAST_NANOS = 50_000_000;
    private static final int LEAST_RUNS = 5;
    private static final long LEAST_WARM_NANOS = 500_000_000;
    private static final long FIRST = 50_000;
    private static final long MOST = 50_000_000;

    private Heat() {}

    /** Runs and prints. */
    public static void main(String[] arguments) throws Exception {
        Topology topology = Topologies.named(arguments[0]);
        Contestant contestant = Contestants.named(arguments[1]);
        int capacity = Integer.parseInt(arguments[2]);
        long nanos = Math.round(Double.parseDouble(arguments[3]) * 1e9);
        long messages = warm(topology, contestant, capacity, nanos);
        Load load = new Load(messages, capacity, topology.terms());
        System.out.println(measure(topology, contestant, load, nanos).line());
        // Some rivals have threads that cannot be ended; they must not keep this process alive.
        System.exit(0);
    }

    private static Fork measure(Topology topology, Contestant contestant, Load load, long nanos)
            throws Exception {
        Tally tally = new Tally();
        long start = System.nanoTime();
        double before = LineWay.nanos();
        while (tally.runs() < LEAST_RUNS || System.nanoTime() - start < nanos) {
            Outcome outcome = once(topology, contestant, load);
            double after = LineWay.nanos();
            tally.add(outcome.nanos(), outcome.cpuNanos(), Math.max(before, after));
            before = after;
        }
        return tally.over(load.messages());
    }

    /** Runs for some time; returns how many messages make a run long enough. */
    private static long warm(Topology topology, Contestant contestant, int capacity, long nanos)
            throws Exception {
        boolean isGiven = topology.messages() > 0;
        long messages = isGiven ? topology.messages() : FIRST;
        long start = System.nanoTime();
        while (true) {
            long took =
                    once(topology, contestant, new Load(messages, capacity, topology.terms()))
                            .nanos();
            boolean longEnough = isGiven || took >= LEAST_NANOS || messages >= MOST;
            if (longEnough && System.nanoTime() - start >= Math.max(nanos / 2, LEAST_WARM_NANOS)) {
                return messages;
            }
            messages = longEnough ? messages : messages * 2;
        }
    }

    /** One run. Throws if its sums are wrong. */
    static Outcome once(Topology topology, Contestant contestant, Load load) throws Exception {
        return contestant.run(topology.shape(), load).check(topology.shape(), load);
    }
}
