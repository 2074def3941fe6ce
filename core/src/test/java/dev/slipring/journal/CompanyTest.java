// SPDX-License-Identifier: Apache-2.0
package dev.slipring.journal;

import static org.assertj.core.api.Assertions.assertThat;

import dev.slipring.Message;

import org.junit.jupiter.api.Test;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** Waiting for those who were told together, by a clock that this test moves. */
class CompanyTest {

    private final Intake intake = new Intake("ring", 1 << 20);
    private final List<Entry> pending = new ArrayList<>();
    private final Company company = new Company(this::look);
    private long now;
    private int looks;

    /** After so many looks at the clock somebody comes, with each; 0 for never. */
    private int comesAt;

    private long look() {
        looks++;
        now += TimeUnit.MICROSECONDS.toNanos(10);
        if (comesAt > 0 && looks >= comesAt) {
            intake.add(waiting());
        }
        return now;
    }

    private static Entry waiting() {
        return new Entry(List.of(Message.of("x")), 0, Thread.currentThread());
    }

    private static Entry asynchronous() {
        return new Entry(List.of(Message.of("x")), 0, null);
    }

    private void awaitWithOne() {
        pending.add(waiting());
        company.await(intake, pending);
    }

    @Test
    void whoIsAloneDoesNotWait() {
        awaitWithOne();
        company.writes(pending);
        pending.clear();
        awaitWithOne();
        assertThat(looks).isZero();
    }

    @Test
    void whoWaitsForNothingIsNotExpectedBack() {
        company.writes(List.of(waiting(), asynchronous(), asynchronous()));
        awaitWithOne();
        assertThat(looks).isZero();
    }

    @Test
    void thoseWhoComeBackAreWrittenTogether() {
        company.writes(List.of(waiting(), waiting(), waiting()));
        comesAt = 3;
        awaitWithOne();
        assertThat(pending).hasSize(3);
        assertThat(looks).isEqualTo(4);
    }

    @Test
    void whoDoesNotComeBackIsWaitedForOnceAndNotForLong() {
        company.writes(List.of(waiting(), waiting(), waiting()));
        awaitWithOne();
        assertThat(pending).hasSize(1);
        assertThat(TimeUnit.NANOSECONDS.toMicros(now)).isBetween(100L, 120L);
        company.writes(pending);
        pending.clear();
        looks = 0;
        awaitWithOne();
        assertThat(looks).isZero();
    }
}
