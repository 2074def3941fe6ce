// SPDX-License-Identifier: Apache-2.0
package dev.slipring.bench.ring;

import dev.slipring.bench.ring.contest.Contestant;
import dev.slipring.bench.ring.contest.Load;
import dev.slipring.bench.ring.contest.Outcome;
import dev.slipring.bench.ring.contest.Pace;
import dev.slipring.bench.ring.rival.Contestants;
import dev.slipring.bench.ring.topology.Topologies;
import dev.slipring.bench.ring.topology.Topology;

import org.HdrHistogram.Histogram;

/**
 * Latencies of one contestant at a fixed rate, from when a message was due to when a stage at the
 * end of the graph had it: {@code TOPOLOGY SYSTEM CAPACITY RATE SECONDS}. A message that is late
 * because others waited counts as late. Before them go a quarter as many that do not count. Prints
 * {@linkplain Delay the result}.
 */
public final class Latency {

    private Latency() {}

    /** Runs and prints. */
    public static void main(String[] arguments) throws Exception {
        Topology topology = Topologies.named(arguments[0]);
        Contestant contestant = Contestants.named(arguments[1]);
        int capacity = Integer.parseInt(arguments[2]);
        long rate = Long.parseLong(arguments[3]);
        long messages = Math.max(Math.round(rate * Double.parseDouble(arguments[4])), 4);
        run(topology, contestant, capacity, rate, messages / 4);
        System.out.println(run(topology, contestant, capacity, rate, messages).line());
        // Some rivals have threads that cannot be ended; they must not keep this process alive.
        System.exit(0);
    }

    private static Delay run(
            Topology topology, Contestant contestant, int capacity, long rate, long messages)
            throws Exception {
        Pace pace = new Pace(topology.shape(), rate, messages);
        Load load = new Load(messages, capacity, 0, pace);
        Outcome outcome = contestant.run(topology.shape(), load).check(topology.shape(), load);
        Histogram nanos = pace.latencies();
        return new Delay(
                messages * 1e9 / outcome.nanos(),
                (double) outcome.cpuNanos() / outcome.nanos() * 100,
                nanos.getValueAtPercentile(50),
                nanos.getValueAtPercentile(99),
                nanos.getValueAtPercentile(99.9),
                nanos.getMaxValue());
    }
}
