// SPDX-License-Identifier: Apache-2.0
package dev.slipring.bench.report;

import static org.assertj.core.api.Assertions.assertThat;

import dev.slipring.bench.load.ThreadKind;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/** What the page says about each workload is true of it. */
class ResultsTest {

    @TempDir private Path folder;

    private static List<RawRow> rows(String engine, String workload, int threads, String... names) {
        return Stream.of(names)
                .map(
                        name ->
                                new RawRow(
                                        engine, workload, "", "", name, threads, 1, 8, 1000, null,
                                        null, null, null, "", 1, 5, 0))
                .toList();
    }

    @Test
    void eachWorkloadNamesWhatItsRatiosAreOver() throws Exception {
        Results results = new Results(folder);
        results.keep("cycle", rows("sqlite", "cycle", 1, "slipring", "naive"));
        results.keep("wal", rows("postgresql", "wal", 1, "slipring", "skip-locked", "pgq"));
        results.keep("ring-1-1", rows("ring", "1-1", 2, "slipring", "questdb-yielding"));
        results.keep(
                "threads",
                Stream.concat(
                                rows("mysql", "threads", 1, "slipring", "naive").stream(),
                                rows("mysql", "threads", 2, "slipring", "lmax").stream())
                        .toList());
        results.describe(Machine.here("", "`fsync` on"), "slipring bench");
        String page = Files.readString(folder.resolve("README.md"));
        assertThat(page).contains("| server | `fsync` on |");
        assertThat(part(page, "cycle")).contains("ratio is over `naive`.");
        assertThat(part(page, "wal")).contains("ratio is over `skip-locked`.");
        assertThat(part(page, "ring-1-1"))
                .contains("ratio is over the best of the systems that are not `slipring`.");
        assertThat(part(page, "threads"))
                .contains("ratio is over `naive`, where it is not there over the best");
    }

    @Test
    void whatVariesThreadsIsDrawnOverThem() throws Exception {
        Results results = new Results(folder);
        results.keep(
                "sources",
                Stream.of(1, 8, 32)
                        .flatMap(n -> rows("mysql", "sources", n, "naive", "lmax").stream())
                        .toList());
        results.keep("cycle", rows("mysql", "cycle", 1, "slipring", "naive"));
        results.plot();
        assertThat(Files.readString(folder.resolve("sources.svg")))
                .contains(">threads 1<", ">threads 8<", ">threads 32<")
                .containsOnlyOnce("stroke=\"#1f6fb2\"")
                .containsOnlyOnce("stroke=\"#a0a0a0\"");
        assertThat(Files.readString(folder.resolve("cycle.svg"))).doesNotContain("polyline");
    }

    @Test
    void virtualThreadsStandBesideAsManyOfTheSystem() throws Exception {
        Results results = new Results(folder);
        RawRow virtual =
                new RawRow(
                        "mysql",
                        "threads",
                        ThreadKind.VIRTUAL.words(),
                        "",
                        "slipring",
                        64,
                        1,
                        8,
                        2000,
                        null,
                        null,
                        null,
                        null,
                        "",
                        1,
                        5,
                        0);
        results.keep(
                "threads",
                Stream.concat(
                                Stream.of(1, 64)
                                        .flatMap(
                                                n ->
                                                        rows("mysql", "threads", n, "slipring")
                                                                .stream()),
                                Stream.of(virtual))
                        .toList());
        results.plot();
        assertThat(Files.readString(folder.resolve("threads.svg")))
                .contains(">threads 1<", ">threads 64<", ">64 virtual threads<");
    }

    private static RawRow between(String topology, String setting, String system, double rate) {
        boolean isLate = setting.endsWith("/s");
        return new RawRow(
                "ring",
                topology,
                setting,
                "",
                system,
                2,
                1,
                8,
                rate,
                isLate ? 0.001 : null,
                isLate ? 0.01 : null,
                null,
                null,
                "",
                1,
                5,
                0);
    }

    @Test
    void thePlotOfTheTopologiesHasTheBetterWayOfEachProduct() throws Exception {
        Results results = new Results(folder);
        results.keep(
                "ring-1-1",
                List.of(
                        between("1-1", "64 slots", "slipring", 300_000_000),
                        between("1-1", "64 slots", "questdb-parking", 70_000_000),
                        between("1-1", "64 slots", "questdb-yielding", 110_000_000),
                        between("1-1", "1024 slots", "slipring", 320_000_000)));
        results.keep("ring-1-3", List.of(between("1-3", "64 slots", "slipring", 150_000_000)));
        results.keep(
                "ring-latency-1-1",
                List.of(between("1-1", "64 slots, 1,000/s", "slipring", 1_000)));
        results.plot();
        results.describe(Machine.here("", ""), "slipring bench ring");
        assertThat(Files.readString(folder.resolve("ring-of-64-slots.svg")))
                .contains(">1-1<", ">1-3<", ">questdb<", ">300M<", ">150M<", ">110M<")
                .doesNotContain(">70M<", ">320M<", ">1k<");
        assertThat(folder.resolve("ring-of-1024-slots.svg")).exists();
        assertThat(Files.readString(folder.resolve("ring-latency-1-1.svg")))
                .contains(">p50, 64 slots, 1,000/s<", ">1<", ">10<");
        assertThat(Files.readString(folder.resolve("README.md")))
                .contains("![ring-of-64-slots](ring-of-64-slots.svg)");
    }

    @Test
    void noRunWritesOverAnother() throws Exception {
        Machine machine = Machine.here("", "");
        Results first = Results.in(folder, machine, "sqlite");
        first.keep("cycle", rows("sqlite", "cycle", 1, "slipring"));
        Results other = Results.in(folder, machine, "postgresql");
        other.keep("cycle", rows("postgresql", "cycle", 1, "slipring"));
        Results again = Results.in(folder, machine, "sqlite");
        again.keep("cycle", rows("sqlite", "cycle", 1, "slipring", "naive"));
        assertThat(first.folder().getFileName().toString()).endsWith("-sqlite");
        assertThat(again.folder().getFileName().toString()).endsWith("-sqlite-2");
        assertThat(first.folder().resolve("cycle.jsonl"))
                .content()
                .hasLineCount(1)
                .contains("\"engine\":\"sqlite\"");
    }

    private static String part(String page, String workload) {
        String from = page.substring(page.indexOf("## " + workload + "\n"));
        return from.substring(0, from.indexOf("!["));
    }
}
