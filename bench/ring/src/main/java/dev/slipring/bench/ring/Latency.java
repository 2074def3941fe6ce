// SPDX-License-Identifier: Apache-2.0
package dev.slipring.bench.ring;

import dev.slipring.bench.ring.contest.Contestant;
import dev.slipring.bench.ring.contest.Load;
import dev.slipring.bench.ring.contest.Pace;
import dev.slipring.bench.ring.rival.Contestants;
import dev.slipring.bench.ring.topology.Topologies;
import dev.slipring.bench.ring.topology.Topology;

import org.HdrHistogram.Histogram;

import java.util.Locale;

/**
 * Latencies of one contestant at a fixed rate, from when a message was due to when the last stage
 * had it: {@code TOPOLOGY SYSTEM CAPACITY RATE SECONDS}. A message that is late because others
 * waited counts as late. Of graphs with one producer.
 */
public final class Latency {

    private Latency() {}

    /** Runs and prints microseconds. */
    public static void main(String[] arguments) throws Exception {
        Topology topology = Topologies.named(arguments[0]);
        Contestant contestant = Contestants.named(arguments[1]);
        int capacity = Integer.parseInt(arguments[2]);
        long rate = Long.parseLong(arguments[3]);
        long messages = Math.round(rate * Double.parseDouble(arguments[4]));
        run(topology, contestant, capacity, rate, messages / 4);
        Histogram nanos = run(topology, contestant, capacity, rate, messages);
        System.out.printf(
                Locale.ROOT,
                "%s, %s, %d slots, %,d/s: p50 %.2f us, p99 %.2f us, p99.9 %.2f us, max %.2f us%n",
                topology.name(),
                contestant.name(),
                capacity,
                rate,
                nanos.getValueAtPercentile(50) / 1e3,
                nanos.getValueAtPercentile(99) / 1e3,
                nanos.getValueAtPercentile(99.9) / 1e3,
                nanos.getMaxValue() / 1e3);
        System.exit(0);
    }

    private static Histogram run(
            Topology topology, Contestant contestant, int capacity, long rate, long messages)
            throws Exception {
        Pace pace = new Pace(1_000_000_000L / rate, topology.shape().levels().size() - 1);
        Load load = new Load(messages, capacity, 0, pace);
        contestant.run(topology.shape(), load).check(topology.shape(), load);
        return pace.latencies();
    }
}
