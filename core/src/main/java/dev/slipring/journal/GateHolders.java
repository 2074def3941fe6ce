// SPDX-License-Identifier: Apache-2.0
package dev.slipring.journal;

import dev.slipring.RingFull;
import dev.slipring.Survey;
import dev.slipring.Survey.StageSurvey;
import dev.slipring.engine.Store;

import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;

/** Adds to the refusal of a push to a full ring which stages hold the gate. Used by one thread. */
final class GateHolders {

    /** How long an answer is used for all who are refused. */
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
        // An answer that named nobody is not used again: by now somebody may hold the gate.
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
            // Whatever failed, the refusal is told without names: that the ring is full is known.
            return "";
        }
    }

    private static String words(StageSurvey stage) {
        String why = stage.stalled() == null ? "" : " (" + stage.stalled() + ")";
        return "; stage '" + stage.name() + "' holds its gate" + why;
    }
}
