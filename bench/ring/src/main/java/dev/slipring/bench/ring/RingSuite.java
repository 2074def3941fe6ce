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
import dev.slipring.bench.ring.topology.TextTable;
import dev.slipring.bench.ring.topology.Topologies;
import dev.slipring.bench.ring.topology.Topology;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;

/**
 * The ring between threads beside those of others: in each round each contestant in turn, in a Java
 * of its own. A row's workload is its topology; its ratio is over the best of the others.
 *
 * <p>{@code ring} has the topologies that only pass messages, each beside the best of the rivals
 * only; {@code ring/full} has them and the text's table beside all systems; {@code ring/TOPOLOGY}
 * and {@code ring/full/TOPOLOGY} have one of them.
 */
public final class RingSuite implements Suite {

    private static final String NAME = "ring";

    /** The word for all systems. */
    private static final String FULL = "full";

    /** A window is for a disk; a Java with nothing else to do needs less. */
    private static final int SHORTER = 5;

    /** For the service loader. */
    public RingSuite() {}

    @Override
    public boolean has(String workload) {
        return workload.equals(NAME) || workload.startsWith(NAME + "/");
    }

    @Override
    public List<Row> run(String workload, BenchRequest request, PrintStream out, PrintStream err)
            throws IOException {
        String which = workload.substring(NAME.length()).replaceFirst("^/", "");
        boolean isFull = which.equals(FULL) || which.startsWith(FULL + "/");
        List<Row> rows = new ArrayList<>();
        for (String name : names(which.replaceFirst("^" + FULL + "/?", ""), isFull)) {
            List<RawRow> raw = new ArrayList<>();
            for (Topology topology : Topologies.of(name, isFull)) {
                raw.addAll(measure(topology, isFull, request, err));
            }
            List<Summary.Line> lines = Summary.of(raw);
            String leads = Lead.of(raw);
            err.print(leads);
            lines.forEach(line -> rows.add(line.row()));
            if (request.json()) {
                lines.forEach(line -> out.print(Lines.line(line.row()) + "\n"));
            } else {
                out.print(Table.text(lines) + "\n");
            }
            out.flush();
            keep(NAME + "-" + name, raw, leads, request);
        }
        return rows;
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
        double seconds = request.window().toMillis() / 1e3 / SHORTER;
        for (int capacity : topology.capacities()) {
            List<Contestant> contestants =
                    new ArrayList<>(
                            isFull
                                    ? Contestants.of(topology.shape())
                                    : Contestants.best(topology, capacity));
            for (int round = 1; round <= request.rounds(); round++) {
                for (Contestant contestant : contestants) {
                    Fork fork = Fork.of(topology, contestant, capacity, seconds);
                    err.printf(
                            Locale.ROOT,
                            "round %d of %d: %s, %d slots, %s: %,.0f/s (%s)%n",
                            round,
                            request.rounds(),
                            topology.name(),
                            capacity,
                            contestant.name(),
                            fork.messagesPerSecond(),
                            fork);
                    raw.add(row(topology, contestant, capacity, fork, round, seconds));
                }
                // Who comes second may find a warmer or a busier machine.
                Collections.reverse(contestants);
            }
        }
        return raw;
    }

    private static RawRow row(
            Topology topology,
            Contestant contestant,
            int capacity,
            Fork fork,
            int round,
            double seconds) {
        return new RawRow(
                NAME,
                topology.workload(),
                topology.setting(capacity),
                "",
                contestant.name(),
                topology.shape().threads(),
                1,
                Long.BYTES,
                fork.messagesPerSecond(),
                null,
                null,
                fork.cpuPercent(),
                null,
                fork.note(),
                round,
                seconds,
                0);
    }

    private static void keep(String name, List<RawRow> raw, String leads, BenchRequest request)
            throws IOException {
        if (request.results() != null) {
            Machine machine = Machine.here("");
            Results results = Results.in(request.results(), machine);
            results.keep(name, raw);
            Files.writeString(results.folder().resolve(name + ".txt"), leads);
            results.plot();
            results.describe(machine, request.command());
        }
    }
}
