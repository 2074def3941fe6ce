// SPDX-License-Identifier: Apache-2.0
package dev.slipring.postgresql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.slipring.engine.Slot;
import dev.slipring.postgresql.OwnBodies.View;

import org.junit.jupiter.api.Test;

import java.util.List;

/**
 * What a process keeps of its pushes is bounded, and has no gap between its first and its last
 * number.
 */
class OwnBodiesTest {

    private static final int LARGE = 1 << 20;
    private static final int MOST = 16;

    private final OwnBodies bodies = new OwnBodies();

    private static Slot slot(int lane, long producer, long number, int size) {
        byte[] body = new byte[size];
        body[0] = (byte) number;
        body[1] = (byte) lane;
        return new Slot(lane, producer, number, 1, body);
    }

    private void push(long number) {
        bodies.keep("r", List.of(slot(0, 7, number, LARGE)));
    }

    private void push(long from, long to) {
        for (long number = from; number <= to; number++) {
            push(number);
        }
    }

    @Test
    void whatWasPushedIsHereByNumberAndLane() {
        bodies.keep("r", List.of(slot(0, 7, 3, 9000), slot(5, 7, 3, 9000)));
        bodies.keep("r", List.of(slot(5, 7, 4, 9000)));
        View here = bodies.of("r");
        assertThat(here.producer()).isEqualTo(7);
        assertThat(here.from()).isEqualTo(3);
        assertThat(here.to()).isEqualTo(4);
        assertThat(here.body(5, 3)).startsWith(3, 5);
        assertThat(here.body(0, 3)).startsWith(3, 0);
        assertThat(here.body(5, 4)).startsWith(4, 5);
        assertThatThrownBy(() -> here.body(0, 4)).isInstanceOf(IllegalStateException.class);
    }

    @Test
    void nothingIsHereOfARingThatNobodyPushedTo() {
        push(1);
        View here = bodies.of("other");
        assertThat(here.producer()).isNull();
        assertThat(here.from()).isGreaterThan(here.to());
    }

    @Test
    void smallSlotsAndThoseWithoutANumberAreNotKept() {
        bodies.keep("r", List.of(slot(0, 7, 1, OwnBodies.SMALL)));
        assertThat(bodies.of("r").from()).isGreaterThan(bodies.of("r").to());
        bodies.keep("other", List.of(slot(0, 0, 0, LARGE)));
        assertThat(bodies.of("other").producer()).isNull();
    }

    @Test
    void theOldestGoWhereThereIsNoMoreRoomIfSomebodyAskedForThem() {
        push(1, MOST);
        bodies.of("r").body(0, 1);
        push(MOST + 1);
        assertThat(bodies.of("r").from()).isEqualTo(2);
        assertThat(bodies.of("r").to()).isEqualTo(MOST + 1);
    }

    @Test
    void aPushGoesWithAllItsLanes() {
        bodies.keep("r", List.of(slot(0, 7, 1, LARGE), slot(1, 7, 1, LARGE)));
        bodies.of("r").body(1, 1);
        push(2, MOST);
        assertThat(bodies.of("r").from()).isEqualTo(2);
    }

    @Test
    void roomIsSharedByAllRings() {
        bodies.keep("idle", List.of(slot(0, 8, 1, LARGE)));
        bodies.of("idle").body(0, 1);
        push(1, MOST);
        assertThat(bodies.of("idle").from()).isGreaterThan(bodies.of("idle").to());
        assertThat(bodies.of("r").from()).isOne();
    }

    @Test
    void nothingIsKeptForWhoIsFurtherBehind() {
        push(1, MOST + 1);
        View here = bodies.of("r");
        assertThat(here.from()).isGreaterThan(here.to());
        push(MOST + 2);
        assertThat(bodies.of("r").from()).isGreaterThan(bodies.of("r").to());
        here.claimed(MOST);
        push(MOST + 3);
        assertThat(bodies.of("r").from()).isGreaterThan(bodies.of("r").to());
        here.claimed(MOST + 1);
        push(MOST + 4);
        assertThat(bodies.of("r").from()).isEqualTo(MOST + 4);
    }

    @Test
    void whoIsClaimingHasWhatWasHereWhenHeBegan() {
        push(1);
        View here = bodies.of("r");
        push(2, MOST + 2);
        bodies.forget("r");
        assertThat(here.to()).isOne();
        assertThat(here.body(0, 1)).startsWith(1);
    }

    @Test
    void aGapForgetsWhatWasBefore() {
        push(1);
        bodies.forget("r");
        push(3);
        assertThat(bodies.of("r").from()).isEqualTo(3);
        push(4, 2 + MOST);
        assertThat(bodies.of("r").from()).as("what was forgotten takes no room").isEqualTo(3);
    }

    @Test
    void severalSlotsOfAPushInOneLaneAreAGap() {
        push(1);
        bodies.keep("r", List.of(slot(0, 7, 2, LARGE), slot(0, 7, 2, LARGE)));
        push(3);
        assertThat(bodies.of("r").from()).isEqualTo(3);
    }

    @Test
    void anotherProducerBeginsAnew() {
        push(1);
        bodies.keep("r", List.of(slot(0, 8, 1, LARGE)));
        assertThat(bodies.of("r").producer()).isEqualTo(8);
        assertThat(bodies.of("r").to()).isOne();
    }
}
