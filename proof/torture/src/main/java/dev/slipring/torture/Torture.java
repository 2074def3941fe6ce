// SPDX-License-Identifier: Apache-2.0
package dev.slipring.torture;

import dev.slipring.torture.arena.Arena;
import dev.slipring.torture.arena.SmallDisk;
import dev.slipring.torture.control.Controller;
import dev.slipring.torture.judge.History;
import dev.slipring.torture.judge.Judge;
import dev.slipring.torture.judge.Verdict;
import dev.slipring.torture.plan.Fault;
import dev.slipring.torture.plan.Kind;
import dev.slipring.torture.plan.Plan;
import dev.slipring.torture.soak.Soak;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.Stream;

/** Tries to make a store break its promises, and says whether it broke one. */
public final class Torture {

    private static final double DISK_SHARE = 0.2;
    private static final long LEAST_DISK_MILLIS = 4_000;

    private final TortureRequest request;
    private final PrintStream words;

    private Torture(TortureRequest request, PrintStream words) {
        this.request = request;
        this.words = words;
    }

    /**
     * Runs, and prints a table.
     *
     * @param out for the table and what was broken
     * @param words gets the progress
     * @return whether every promise was kept
     * @throws IllegalArgumentException if the URL names no store that can be tortured
     */
    public static boolean run(TortureRequest request, PrintStream out, PrintStream words)
            throws Exception {
        return new Torture(request, words).run(report -> report.print(out));
    }

    /**
     * Runs, and gives the facts.
     *
     * @param out takes what the table would have, by names: texts, numbers, lists of texts, and
     *     numbers by names
     * @param words gets the progress
     * @return whether every promise was kept
     * @throws IllegalArgumentException if the URL names no store that can be tortured
     */
    public static boolean run(
            TortureRequest request, Consumer<Map<String, Object>> out, PrintStream words)
            throws Exception {
        return new Torture(request, words).run(report -> out.accept(report.facts()));
    }

    private boolean run(Consumer<Report> out) throws Exception {
        Report report = new Report(request.seed());
        if (request.journals() != null) {
            Arena.checkParent(request.journals());
        }
        Path journals;
        try (Arena arena = Arena.of(request.url())) {
            arena.open();
            arena.checkFree();
            journals = request.journals() == null ? arena.journals() : request.journals();
            words.println("torture: seed " + request.seed() + ", journals in " + journals);
            report.on(arena.words());
            long millis = request.time().toMillis();
            round(arena, null, journals.resolve("store"), millis, report);
            if (!request.soak()) {
                onSmallDisk(arena, journals, millis, report);
            }
            if (report.isGood()) {
                arena.clear();
            }
        }
        out.accept(report);
        if (report.isGood() && request.journals() == null && !request.soak()) {
            delete(journals);
        } else {
            words.println("the journals are in " + journals);
        }
        return report.isGood();
    }

    private void onSmallDisk(Arena arena, Path journals, long millis, Report report)
            throws Exception {
        try (SmallDisk disk =
                SmallDisk.mount(
                        journals.resolveSibling(journals.getFileName() + ".disk"),
                        arena.diskMebibytes())) {
            Optional<Arena> small = disk.isThere() ? arena.on(disk.folder()) : Optional.empty();
            if (small.isEmpty()) {
                report.skipped(
                        "a full disk: "
                                + (disk.isThere()
                                        ? "a server of yours is not put on one"
                                        : disk.reason()));
                return;
            }
            words.println("the same on a disk that is filled");
            long share = Math.max(LEAST_DISK_MILLIS, Math.round(millis * DISK_SHARE));
            try (Arena place = small.get()) {
                place.open();
                round(place, disk.folder(), journals.resolve("disk"), share, report);
            }
            if (!report.has(Kind.FILL_DISK)) {
                report.skipped("a full disk: in so short a time the plan does not fill it");
            }
        } catch (IOException | SQLException | RuntimeException | OutOfMemoryError e) {
            // What was found before is reported all the same.
            report.find("the round on the disk that is filled broke off: " + e);
        }
    }

    private void round(Arena arena, Path disk, Path journals, long millis, Report report)
            throws Exception {
        try {
            Files.createDirectories(journals.getParent());
            Files.createDirectory(journals);
        } catch (FileAlreadyExistsException e) {
            throw new IllegalArgumentException(
                    Files.isDirectory(journals)
                            ? "there are journals in '"
                                    + journals
                                    + "' already; name another folder"
                            : "'" + e.getFile() + "' is no folder; name one for the journals",
                    e);
        }
        List<Fault> plan =
                Plan.of(
                        request.seed(),
                        Duration.ofMillis(millis),
                        special(arena, disk),
                        request.soak());
        Files.write(journals.resolve("plan"), plan.stream().map(Fault::toString).toList());
        try (Controller controller =
                new Controller(arena, disk, journals, request, words::println)) {
            if (request.soak()) {
                controller.measure();
            }
            controller.run(plan, millis);
            if (request.soak()) {
                Soak soak = controller.soak();
                soak.write(journals);
                report.add(soak);
            }
            words.println("reading the journals");
            History history = History.read(journals);
            Verdict verdict = new Judge(history, controller.effects()).judge();
            report.add(controller, history, verdict);
        }
    }

    private static Set<Kind> special(Arena arena, Path disk) {
        Set<Kind> special = EnumSet.noneOf(Kind.class);
        if (arena.server().isPresent()) {
            special.add(Kind.KILL_SERVER);
        }
        if (arena.wire().isPresent()) {
            special.addAll(List.of(Kind.CUT_WIRE, Kind.LOSE_ANSWERS, Kind.STALL_WIRE));
        }
        if (arena.hasSegments()) {
            special.addAll(List.of(Kind.NEXT_SEGMENT, Kind.HOLD_SEGMENT));
        }
        if (disk != null) {
            special.add(Kind.FILL_DISK);
        }
        return special;
    }

    private static void delete(Path folder) throws IOException {
        try (Stream<Path> all = Files.walk(folder)) {
            for (Path path : all.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(path);
            }
        }
    }
}
