// SPDX-License-Identifier: Apache-2.0
package dev.slipring.bench.ring;

import dev.slipring.bench.BenchRequest;
import dev.slipring.bench.load.Measured;
import dev.slipring.bench.report.RawRow;
import dev.slipring.bench.ring.contest.Contestant;
import dev.slipring.bench.ring.topology.Topology;

import java.io.IOException;
import java.io.PrintStream;
import java.util.Locale;

/** Measures a contestant in a topology, each time in a Java of its own. */
final class Readings {

    /** How many slots the rings have for latencies: enough that they do not become full. */
    static final int ROOMY = 1 << 16;

    /**
     * The part of a window that is measured here. Windows are chosen for disks; between threads
     * less time is enough.
     */
    private static final int SHORTER = 5;

    private final Topology topology;
    private final BenchRequest request;
    private final PrintStream err;
    private final double seconds;

    Readings(Topology topology, BenchRequest request, PrintStream err) {
        this.topology = topology;
        this.request = request;
        this.err = err;
        this.seconds = request.window().toMillis() / 1e3 / SHORTER;
    }

    /** How many messages a second. */
    RawRow rate(Contestant contestant, int capacity, int round) throws IOException {
        Fork fork = Fork.of(topology, contestant, capacity, seconds);
        String setting = topology.setting(capacity);
        say(contestant, setting, round, fork.messagesPerSecond(), fork);
        Measured measured =
                Measured.rate(fork.messagesPerSecond()).cpu(fork.cpuPercent()).note(fork.note());
        return row(contestant, setting, measured, round);
    }

    /** How late messages come at a rate. */
    RawRow delay(Contestant contestant, long rate, int round) throws IOException {
        Delay delay = Delay.of(topology, contestant, ROOMY, rate, seconds);
        String setting = String.format(Locale.ROOT, "%s, %,d/s", topology.setting(ROOMY), rate);
        say(contestant, setting, round, delay.messagesPerSecond(), delay);
        Measured measured =
                new Measured(
                        delay.messagesPerSecond(),
                        delay.p50Millis(),
                        delay.p99Millis(),
                        delay.cpuPercent(),
                        null,
                        "");
        return row(contestant, setting, measured, round);
    }

    private void say(Contestant who, String setting, int round, double rate, Object what) {
        err.printf(
                Locale.ROOT,
                "round %d of %d: %s, %s, %s: %,.0f/s (%s)%n",
                round,
                request.rounds(),
                topology.name(),
                setting,
                who.name(),
                rate,
                what);
    }

    private RawRow row(Contestant contestant, String setting, Measured measured, int round) {
        return new RawRow(
                RingSuite.NAME,
                topology.workload(),
                setting,
                "",
                contestant.name(),
                topology.shape().threads(),
                1,
                Long.BYTES,
                measured.messagesPerSecond(),
                measured.p50Millis(),
                measured.p99Millis(),
                measured.cpuPercent(),
                measured.logBytes(),
                measured.note(),
                round,
                seconds,
                0);
    }
}
