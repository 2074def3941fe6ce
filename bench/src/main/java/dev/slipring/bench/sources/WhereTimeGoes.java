// SPDX-License-Identifier: Apache-2.0
package dev.slipring.bench.sources;

import dev.slipring.SlipringException;
import dev.slipring.bench.load.Measured;
import dev.slipring.bench.subject.Target;
import dev.slipring.engine.Waits;
import dev.slipring.engine.Waits.Wait;

import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Collectors;

/** What a server waited for while something was measured, by its own figures. */
final class WhereTimeGoes {

    private static final int REASONS = 3;

    private WhereTimeGoes() {}

    /** Measures; if the target has such figures, the longest waits become a note. */
    static Measured during(Target target, Duration window, Callable<Measured> run)
            throws Exception {
        Optional<Waits> server = open(target);
        if (server.isEmpty()) {
            return run.call();
        }
        try (Waits waits = server.get()) {
            CompletableFuture<String> words =
                    CompletableFuture.supplyAsync(() -> words(waits, window));
            Measured measured = run.call();
            return measured.note(words.join());
        }
    }

    private static Optional<Waits> open(Target target) {
        try {
            return target.waits();
        } catch (SlipringException e) {
            return Optional.empty();
        }
    }

    private static String words(Waits waits, Duration window) {
        try {
            return longest(waits.over(window));
        } catch (SlipringException e) {
            // Mostly a MariaDB that was started without performance_schema.
            return "no wait figures";
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return "";
        }
    }

    private static String longest(List<Wait> waits) {
        List<Wait> timed =
                waits.stream()
                        .filter(wait -> wait.time() != null && !wait.time().isZero())
                        .sorted(Comparator.comparing(Wait::time).reversed())
                        .toList();
        double all = timed.stream().mapToLong(wait -> wait.time().toNanos()).sum();
        return timed.stream()
                .limit(REASONS)
                .map(
                        wait ->
                                String.format(
                                        Locale.ROOT,
                                        "%s %.0f %%",
                                        wait.name(),
                                        100 * wait.time().toNanos() / all))
                .collect(Collectors.joining(", "));
    }
}
