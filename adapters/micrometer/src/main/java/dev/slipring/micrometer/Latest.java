// SPDX-License-Identifier: Apache-2.0
package dev.slipring.micrometer;

import dev.slipring.SlipringException;
import dev.slipring.Survey;

import io.micrometer.core.instrument.Clock;

import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/** The last answer of a store, which is asked again once that is too old. Thread-safe. */
final class Latest {

    private final Supplier<Survey> ask;
    private final long ageNanos;
    private final Clock clock;

    /** Guarded by this, as is what follows; null before the first question. */
    private Optional<Survey> answer;

    private long answeredAt;

    Latest(Supplier<Survey> ask, Duration age, Clock clock) {
        this.ask = ask;
        this.ageNanos = TimeUnit.NANOSECONDS.convert(age);
        this.clock = clock;
    }

    /** The answer; empty where the store gave none. */
    synchronized Optional<Survey> get() {
        if (answer == null || clock.monotonicTime() - answeredAt >= ageNanos) {
            answer = ask();
            // A store that is slow to answer is not asked again at once.
            answeredAt = clock.monotonicTime();
        }
        return answer;
    }

    private Optional<Survey> ask() {
        try {
            return Optional.of(ask.get());
        } catch (SlipringException e) {
            // Whoever reads a gauge can do nothing about it.
            return Optional.empty();
        }
    }
}
