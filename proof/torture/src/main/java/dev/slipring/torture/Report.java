// SPDX-License-Identifier: Apache-2.0
package dev.slipring.torture;

import dev.slipring.torture.control.Controller;
import dev.slipring.torture.judge.History;
import dev.slipring.torture.judge.Verdict;
import dev.slipring.torture.judge.Violation;
import dev.slipring.torture.plan.Kind;
import dev.slipring.torture.soak.Soak;

import java.io.PrintStream;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/** What was done to the store, and how well it withstood that. */
final class Report {

    private static final int MOST_SHOWN = 20;

    private final long seed;
    private final Map<Kind, Integer> faults = new EnumMap<>(Kind.class);
    private final Map<String, Integer> counts = new TreeMap<>();
    private final List<String> skipped = new ArrayList<>();
    private final List<String> findings = new ArrayList<>();
    private final List<String> taken = new ArrayList<>();
    private final List<Violation> violations = new ArrayList<>();
    private long messages;
    private long redeliveries;
    private long lost;
    private long stall;
    private long wait;
    private String waitOf = "";
    private String store = "";
    private long recovery;
    private long untilIdle;
    private double idleLoad;
    private int kills;
    private int shifted;

    Report(long seed) {
        this.seed = seed;
    }

    /** Notes what was tortured. */
    void on(String words) {
        store = words;
    }

    void skipped(String what) {
        skipped.add(what);
    }

    /** Notes something wrong that no journal shows. */
    void find(String what) {
        findings.add(what);
    }

    /** Whether a kind of fault was carried out. */
    boolean has(Kind kind) {
        return faults.containsKey(kind);
    }

    void add(Controller controller, History history, Verdict verdict) {
        controller.counts().forEach((kind, count) -> faults.merge(kind, count, Integer::sum));
        history.counts().forEach((what, count) -> counts.merge(what, count, Integer::sum));
        findings.addAll(controller.findings());
        kills += controller.kills();
        shifted += controller.shifted();
        recovery = Math.max(recovery, verdict.recoveryMillis());
        untilIdle = Math.max(untilIdle, controller.untilIdle());
        idleLoad = Math.max(idleLoad, controller.idleLoad());
        if (controller.counts().isEmpty()) {
            find("no fault was carried out: nothing was put to the test");
        }
        if (verdict.messages() == 0) {
            find("no message went through the ring: nothing was put to the test");
        }
        messages += verdict.messages();
        redeliveries += verdict.redeliveries();
        lost += verdict.lost();
        stall = Math.max(stall, verdict.stallMillis());
        if (verdict.waitMillis() > wait) {
            wait = verdict.waitMillis();
            waitOf = verdict.waitOf();
        }
        violations.addAll(verdict.violations());
    }

    void add(Soak soak) {
        taken.addAll(soak.lines());
        findings.addAll(soak.findings());
    }

    boolean isGood() {
        return findings.isEmpty() && violations.isEmpty() && lost == 0;
    }

    /** All facts, by their names. */
    Map<String, Object> facts() {
        Map<String, Object> facts = new LinkedHashMap<>();
        facts.put("store", store);
        facts.put("seed", seed);
        facts.put("ok", isGood());
        Map<String, Integer> done = new LinkedHashMap<>();
        faults.forEach((kind, count) -> done.put(kind.words(), count));
        facts.put("faults", done);
        facts.put("counts", counts);
        facts.put("skipped", skipped);
        facts.put("processes_killed", kills);
        facts.put("processes_with_a_shifted_clock", shifted);
        facts.put("messages", messages);
        facts.put("redeliveries", redeliveries);
        facts.put("lost", lost);
        facts.put("longest_stall_ms", stall);
        facts.put("longest_recovery_ms", recovery);
        facts.put("longest_until_idle_ms", untilIdle);
        facts.put("idle_percent_of_a_core", Math.round(100 * idleLoad));
        facts.put("longest_wait_ms", wait);
        facts.put("longest_wait_of", waitOf);
        facts.put("soak", taken);
        List<String> broken = new ArrayList<>(findings);
        violations.forEach(violation -> broken.add(violation.toString()));
        facts.put("broken", broken);
        return facts;
    }

    void print(PrintStream out) {
        out.println(store + ", seed " + seed);
        faults.forEach((kind, count) -> row(out, kind.words(), count, ""));
        counts.forEach((what, count) -> row(out, what, count, ""));
        skipped.forEach(what -> out.println("skipped: " + what));
        row(out, "processes killed", kills, "");
        row(out, "processes with a shifted clock", shifted, "");
        row(out, "messages", messages, "");
        row(out, "redeliveries", redeliveries, "");
        row(out, "lost", lost, "");
        row(out, "violations", violations.size() + findings.size(), "");
        row(out, "longest stall", stall, " ms");
        row(out, "longest from server back to message done", recovery, " ms");
        row(out, "longest from all done to nothing written", untilIdle, " ms");
        row(out, "processor that all processes take then", Math.round(100 * idleLoad), " %");
        row(out, "longest wait of what was due again", wait, " ms, " + waitOf);
        taken.forEach(out::println);
        findings.forEach(out::println);
        violations.stream().limit(MOST_SHOWN).forEach(out::println);
        violations.stream()
                .filter(violation -> !violation.history().isEmpty())
                .min(Comparator.comparingInt(violation -> violation.history().size()))
                .ifPresent(
                        violation -> {
                            out.println("the shortest history that shows one:");
                            out.println("  " + violation);
                            violation.history().forEach(line -> out.println("  " + line));
                        });
    }

    private static void row(PrintStream out, String what, long count, String unit) {
        out.println(String.format(Locale.ROOT, "%-42s %,12d%s", what, count, unit));
    }
}
