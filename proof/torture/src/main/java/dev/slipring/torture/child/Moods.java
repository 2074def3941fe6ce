// SPDX-License-Identifier: Apache-2.0
package dev.slipring.torture.child;

import java.util.EnumMap;
import java.util.Map;
import java.util.Random;

/**
 * How a worker will treat its next claim: mostly well, and a few times a minute in one of the other
 * ways.
 */
final class Moods {

    /** What a worker does with a claim. */
    enum Mood {
        /** It does what it should. */
        WELL,
        /** It takes a good part of its lease, and may ask for more. */
        SLOW,
        /** It takes longer than its lease. */
        HANG,
        /** One of its messages fails. */
        FAIL,
        /** It reports a part of it, and stops half-way. */
        HALFWAY,
        /** It gives everything back. */
        BACK
    }

    private static final Map<Mood, Double> SECONDS_BETWEEN =
            Map.of(
                    Mood.SLOW, 9.0, Mood.HANG, 25.0, Mood.FAIL, 3.0, Mood.HALFWAY, 4.0, Mood.BACK,
                    8.0);

    private final Random random;
    private final int patience;
    private final Map<Mood, Long> due = new EnumMap<>(Mood.class);

    /**
     * The moods of a worker.
     *
     * @param patience how many times as long as usual it is mostly well
     */
    Moods(Random random, int patience) {
        this.random = random;
        this.patience = patience;
        SECONDS_BETWEEN.keySet().forEach(this::schedule);
    }

    private void schedule(Mood mood) {
        double seconds = -Math.log(1 - random.nextDouble()) * SECONDS_BETWEEN.get(mood) * patience;
        due.put(mood, System.nanoTime() + Math.round(seconds * 1e9));
    }

    Mood next() {
        for (Mood mood : Mood.values()) {
            if (due.containsKey(mood) && due.get(mood) < System.nanoTime()) {
                schedule(mood);
                return mood;
            }
        }
        return Mood.WELL;
    }
}
