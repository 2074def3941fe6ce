// SPDX-License-Identifier: Apache-2.0
package dev.slipring.ring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

import java.util.List;

/** Ranges of several threads: done in any order and in any parts, seen without gaps. */
class RangesTest {

    private final Sequence a = new MPSequence(8);
    private final Sequence b = new SCSequence();
    private final Sequence c = new MCSequence(8);
    private final Range range = new Range();

    @Test
    void whoFollowsSeesNoGap() {
        a.then(c).then(a);
        long one = a.next(3);
        long two = a.next(2);
        a.done(two, two + 1);
        assertThat(c.next(range, 8)).isEqualTo(Sequence.NONE);
        a.done(one + 1, one + 2);
        assertThat(c.next(range, 8)).isEqualTo(Sequence.NONE);
        a.done(one);
        assertThat(c.next(range, 8)).isZero();
        assertThat(range.size()).isEqualTo(5);
    }

    /** Nobody gets more than there is, nor more than was asked for. */
    @Test
    void aRangeIsNoLongerThanAsked() {
        fillAndEmpty(new SPSequence(8), new SCSequence());
        fillAndEmpty(new MPSequence(8), new MCSequence(8));
    }

    private void fillAndEmpty(Sequence producer, Sequence consumer) {
        producer.then(consumer).then(producer);
        long first = producer.next(5);
        producer.done(first, first + 4);
        assertThat(producer.next(4)).isEqualTo(Sequence.NONE);
        assertThat(producer.next(3)).isEqualTo(first + 5);
        producer.done(first + 5, first + 7);
        assertThat(consumer.next(range, 3)).isEqualTo(first);
        assertThat(range.size()).isEqualTo(3);
        consumer.done(range);
        assertThat(consumer.next(range, 9)).isEqualTo(first + 3);
        assertThat(range.size()).isEqualTo(5);
        consumer.done(range);
        assertThat(producer.next(8)).isEqualTo(first + 8);
    }

    @Test
    void nobodyWaitsForMoreThanThereAre() {
        Sequence single = new SPSequence(8);
        single.then(c).then(single);
        a.then(b).then(a);
        for (Sequence each : List.of(single, a)) {
            assertThatThrownBy(() -> each.waitForNext(9, Long.MAX_VALUE))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("use 1 to the ring's 8");
            assertThatThrownBy(() -> each.waitForNext(0, Long.MAX_VALUE))
                    .isInstanceOf(IllegalArgumentException.class);
        }
    }

    @Test
    void nobodyAsksForARangeOfNothing() {
        Sequence single = new SPSequence(8);
        single.then(c).then(single);
        a.then(b).then(a);
        for (Sequence each : List.of(single, a, b, c)) {
            assertThatThrownBy(() -> each.waitForNext(range, 0, Long.MAX_VALUE))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("use 1 or more");
        }
    }

    /** Who uses what is available gets nothing, and steps back nowhere. */
    @Test
    void nothingIsAvailableBehindTheStop() {
        Sequence single = new SPSequence(8);
        single.then(b).then(single);
        single.done(single.next());
        single.done(single.next());
        b.done(b.next());
        assertThat(b.next()).isEqualTo(1);
        single.stop(null);
        b.done(b.available() - 1);
        assertThat(b.current()).isZero();
    }

    @Test
    void aLimitWithinARangeOfAnotherArmIsPassed() {
        Sequence d = new SCSequence();
        a.then(FanOut.to(b).and(c)).then(d).then(a);
        for (int lap = 0; lap < 5; lap++) {
            long first = a.next(8);
            assertThat(first).isEqualTo(8L * lap);
            a.done(first, first + 7);
            c.next(range, 8);
            c.done(range);
            for (long part : new long[] {2, 5, 7}) {
                b.next();
                b.done(first + part);
                assertThat(d.next(range, 8)).isGreaterThanOrEqualTo(0);
                assertThat(range.last()).isEqualTo(first + part);
                d.done(range);
            }
            assertThat(d.next()).isEqualTo(Sequence.NONE);
        }
    }
}
