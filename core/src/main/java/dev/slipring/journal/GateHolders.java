// SPDX-License-Identifier: Apache-2.0
package dev.slipring.journal;

import dev.slipring.RingFull;
import dev.slipring.Survey;
import dev.slipring.Survey.StageSurvey;
import dev.slipring.engine.Store;

import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;

/** Adds to the news that a ring is full which stages are furthest behind. Used by one thread. */
final class GateHolders {

    /** For so long an answer is good enough for all who are refused. */
    private static final long GOOD_NANOS = TimeUnit.SECONDS.toNanos(1);

    private final Store store;
    private final String ring;
    private String words = "";
    private long askedAt = System.nanoTime() - GOOD_NANOS;

    GateHolders(Store store, String ring) {
        this.store = store;
        this.ring = ring;
    }

    /** The same refusal, with the stages that hold the gate if the store can say. */
    RingFull named(RingFull full) {
        // Where nobody held it just now, somebody may.
        if (words.isEmpty() || System.nanoTime() - askedAt >= GOOD_NANOS) {
            words = ask();
            askedAt = System.nanoTime();
        }
        return words.isEmpty()
                ? full
                : new RingFull(full.getMessage() + words, full.freeMessages(), full.freeBytes());
    }

    private String ask() {
        try {
            Survey survey = store.survey(ring, false);
            return survey.stages().stream()
                    .filter(stage -> survey.gate().contains(stage.name()))
                    .map(GateHolders::words)
                    .collect(Collectors.joining());
        } catch (RuntimeException e) {
            // It is said without, whatever this met: that the ring is full is known, and who is
            // refused has to be told.
            return "";
        }
    }

    private static String words(StageSurvey stage) {
        String why = stage.stalled() == null ? "" : " (" + stage.stalled() + ")";
        return "; stage '" + stage.name() + "' holds its gate" + why;
    }
}
