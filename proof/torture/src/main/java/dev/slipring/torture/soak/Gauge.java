// SPDX-License-Identifier: Apache-2.0
package dev.slipring.torture.soak;

import dev.slipring.torture.arena.Arena;
import dev.slipring.torture.arena.Wire;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import java.util.stream.Stream;

/**
 * Reads, again and again, what the processes and the store use, from Linux's {@code /proc}. For one
 * thread.
 */
public final class Gauge {

    private static final double MEBIBYTE = 1 << 20;
    private static final double KIBIBYTES = 1 << 10;

    private final Arena arena;
    private final Supplier<List<Long>> clients;
    private final LongSupplier alive;
    private final long begin = System.nanoTime();
    private final List<Sample> samples = new ArrayList<>();

    /**
     * A gauge.
     *
     * @param clients gives the numbers of the processes that push and work now
     * @param alive gives how many bytes were alive in their heaps when they last looked
     */
    public Gauge(Arena arena, Supplier<List<Long>> clients, LongSupplier alive) {
        this.arena = arena;
        this.clients = clients;
        this.alive = alive;
    }

    /** Whether this machine has what is read. */
    public static boolean canRead() {
        return Files.isReadable(Path.of("/proc/self/smaps_rollup"));
    }

    /** Takes a sample; a process that ends meanwhile is left out. */
    public void read() throws IOException, SQLException {
        double memory = 0;
        double threads = 0;
        double files = 0;
        for (long client : clients.get()) {
            memory += number(client, "status", "VmRSS:") / KIBIBYTES;
            threads += number(client, "status", "Threads:");
            files += files(client);
        }
        double server = 0;
        if (arena.server().isPresent()) {
            for (long process : family(arena.server().get().pid())) {
                server += number(process, "smaps_rollup", "Pss:") / KIBIBYTES;
            }
        }
        samples.add(
                new Sample(
                        (System.nanoTime() - begin) / 1e9,
                        Map.of(
                                Measure.CLIENTS,
                                memory,
                                Measure.ALIVE,
                                alive.getAsLong() / MEBIBYTE,
                                Measure.SERVER,
                                server,
                                Measure.THREADS,
                                threads,
                                Measure.FILES,
                                files,
                                Measure.CONNECTIONS,
                                arena.wire().map(Wire::connections).orElse(0).doubleValue(),
                                Measure.STORE,
                                arena.bytes() / MEBIBYTE)));
    }

    private static List<Long> family(long pid) {
        List<Long> all = new ArrayList<>(List.of(pid));
        ProcessHandle.of(pid)
                .ifPresent(parent -> parent.descendants().forEach(child -> all.add(child.pid())));
        return all;
    }

    private static double number(long pid, String file, String name) {
        try (Stream<String> lines = Files.lines(Path.of("/proc", "" + pid, file))) {
            return lines.filter(line -> line.startsWith(name))
                    .mapToDouble(line -> Double.parseDouble(line.split("\\s+")[1]))
                    .sum();
        } catch (IOException | UncheckedIOException gone) {
            return 0;
        }
    }

    private static double files(long pid) {
        try (Stream<Path> files = Files.list(Path.of("/proc", "" + pid, "fd"))) {
            return files.count();
        } catch (IOException | UncheckedIOException gone) {
            return 0;
        }
    }

    /** What was read so far. */
    public Soak soak() {
        return new Soak(samples);
    }
}
