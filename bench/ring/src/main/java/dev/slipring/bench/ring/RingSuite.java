// SPDX-License-Identifier: Apache-2.0
package dev.slipring.bench.ring;

import dev.slipring.bench.BenchRequest;
import dev.slipring.bench.Row;
import dev.slipring.bench.Suite;
import dev.slipring.bench.report.Lines;
import dev.slipring.bench.report.Machine;
import dev.slipring.bench.report.RawRow;
import dev.slipring.bench.report.Results;
import dev.slipring.bench.report.Summary;
import dev.slipring.bench.report.Table;
import dev.slipring.bench.ring.contest.Contestant;
import dev.slipring.bench.ring.rival.Contestants;
import dev.slipring.bench.ring.topology.Stages;
import dev.slipring.bench.ring.topology.TextTable;
import dev.slipring.bench.ring.topology.Topologies;
import dev.slipring.bench.ring.topology.Topology;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/**
 * The ring between threads beside those of others: in each round each contestant in turn, in a Java
 * of its own. A row's workload is its topology; its ratio is over the best of the others.
 *
 * <p>{@code ring} has the topologies that only pass messages, each beside the best rivals only;
 * {@code ring/full} has these and the text's table, beside all systems; {@code ring/TOPOLOGY} and
 * {@code ring/full/TOPOLOGY} have one topology. {@code ring/latency} and {@code
 * ring/latency/TOPOLOGY} send messages at a fixed rate instead of as fast as possible, in rings of
 * 65,536 slots, and show how late they come.
 */
public final class RingSuite implements Suite {

    /** The engine that its rows name, and the first word of its workloads. */
    static final String NAME = "ring";

    /** The word for all systems. */
    private static final String FULL = "full";

    /** Stands for the name of a graph. */
    private static final String TOPOLOGY = "TOPOLOGY";

    /** The word for latencies. */
    private static final String LATENCY = "latency";

    /** Messages a second at which latencies are measured. */
    private static final List<Long> RATES = List.of(100_000L, 1_000_000L);

    /** Measures a contestant once. */
    @FunctionalInterface
    private interface Reading {

        /** Returns the row of one round. */
        RawRow of(Contestant contestant, int round) throws IOException;
    }

    /** For the service loader. */
    public RingSuite() {}

    @Override
    public boolean has(String workload) {
        return isOf(NAME, workload);
    }

    @Override
    public List<String> names() {
        return List.of(
                NAME,
                NAME + "/" + FULL,
                NAME + "/" + TOPOLOGY,
                NAME + "/" + FULL + "/" + TOPOLOGY,
                NAME + "/" + TextTable.NAME,
                NAME + "/" + Stages.NAME,
                NAME + "/" + LATENCY,
                NAME + "/" + LATENCY + "/" + TOPOLOGY);
    }

    @Override
    public List<Row> run(String workload, BenchRequest request, PrintStream out, PrintStream err)
            throws IOException {
        String which = workload.substring(NAME.length()).replaceFirst("^/", "");
        boolean isFull = isOf(FULL, which);
        boolean isLatency = isOf(LATENCY, which);
        List<Row> rows = new ArrayList<>();
        Results results = null;
        for (String name :
                names(which.replaceFirst("^(" + FULL + "|" + LATENCY + ")/?", ""), isFull)) {
            List<RawRow> raw = new ArrayList<>();
            for (Topology topology : Topologies.of(name, isFull)) {
                raw.addAll(
                        isLatency
                                ? delays(topology, request, err)
                                : measure(topology, isFull, request, err));
            }
            List<Summary.Line> lines = Summary.of(raw);
            String leads = isLatency ? "" : Lead.of(raw);
            err.print(leads);
            lines.forEach(line -> rows.add(line.row()));
            if (request.json()) {
                lines.forEach(line -> out.print(Lines.line(line.row()) + "\n"));
            } else {
                out.print(Table.text(lines) + "\n");
            }
            out.flush();
            if (request.results() != null) {
                Machine machine = Machine.here("", "");
                results = results != null ? results : Results.in(request.results(), machine, NAME);
                String file = NAME + (isLatency ? "-" + LATENCY : "") + "-" + name;
                keep(results, file, raw, leads);
                results.describe(machine, request.command());
            }
        }
        return rows;
    }

    private static boolean isOf(String word, String which) {
        return which.equals(word) || which.startsWith(word + "/");
    }

    private static List<String> names(String which, boolean isFull) {
        if (!which.isEmpty()) {
            return List.of(which);
        }
        List<String> names =
                new ArrayList<>(Topologies.PLAIN.stream().map(Topology::name).toList());
        if (isFull) {
            names.add(TextTable.NAME);
        }
        return names;
    }

    private static List<RawRow> measure(
            Topology topology, boolean isFull, BenchRequest request, PrintStream err)
            throws IOException {
        List<RawRow> raw = new ArrayList<>();
        Readings readings = new Readings(topology, request, err);
        for (int capacity : topology.capacities()) {
            List<Contestant> contestants =
                    isFull
                            ? Contestants.of(topology.shape())
                            : Contestants.best(topology, capacity);
            raw.addAll(
                    byTurns(
                            contestants,
                            request,
                            (who, round) -> readings.rate(who, capacity, round)));
        }
        return raw;
    }

    private static List<RawRow> delays(Topology topology, BenchRequest request, PrintStream err)
            throws IOException {
        List<RawRow> raw = new ArrayList<>();
        Readings readings = new Readings(topology, request, err);
        for (long rate : RATES) {
            raw.addAll(
                    byTurns(
                            Contestants.best(topology, Readings.ROOMY),
                            request,
                            (who, round) -> readings.delay(who, rate, round)));
        }
        return raw;
    }

    private static List<RawRow> byTurns(
            List<Contestant> contestants, BenchRequest request, Reading reading)
            throws IOException {
        List<RawRow> raw = new ArrayList<>();
        List<Contestant> turns = new ArrayList<>(contestants);
        for (int round = 1; round <= request.rounds(); round++) {
            for (Contestant contestant : turns) {
                raw.add(reading.of(contestant, round));
            }
            // The order alternates, as a later contestant may find a warmer or a busier machine.
            Collections.reverse(turns);
        }
        return raw;
    }

    private static void keep(Results results, String name, List<RawRow> raw, String leads)
            throws IOException {
        results.keep(name, raw);
        if (!leads.isEmpty()) {
            Files.writeString(results.folder().resolve(name + ".txt"), leads);
        }
        results.plot();
    }
}
