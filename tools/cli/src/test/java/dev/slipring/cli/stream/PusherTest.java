// SPDX-License-Identifier: Apache-2.0
package dev.slipring.cli.stream;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.slipring.LaneKept;
import dev.slipring.Message;
import dev.slipring.Options;
import dev.slipring.Ring;
import dev.slipring.RingFull;
import dev.slipring.Slipring;
import dev.slipring.engine.Store;
import dev.slipring.graph.RingSpec;
import dev.slipring.kit.InFront;

import org.junit.jupiter.api.Test;

import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;

/** Pushing to a ring whose lane is kept for some tries. */
class PusherTest {

    private final AtomicInteger kept = new AtomicInteger();

    /** A store in memory whose only lane is kept as long as the test says. */
    private Slipring slipring() {
        Options options = Options.url("memory:");
        Store memory = Slipring.open(options).store();
        Store store =
                InFront.of(
                        Store.class,
                        memory,
                        (method, args, through) ->
                                method.equals("tryPush")
                                                && kept.getAndUpdate(n -> Math.max(0, n - 1)) > 0
                                        ? Set.of(0)
                                        : through.call());
        return Slipring.over(store, options);
    }

    private static void push(Ring ring, Duration wait) {
        Pusher pusher = new Pusher(ring, wait);
        pusher.add(Message.of("a"));
        pusher.add(Message.of("b"));
        pusher.push();
    }

    @Test
    void waitsForWhoKeepsTheLane() {
        try (Slipring slipring = slipring()) {
            Ring ring = slipring.create(RingSpec.named("r"));
            kept.set(20);
            push(ring, Duration.ofMinutes(1));
            assertThat(kept).hasValue(0);
            assertThat(ring.info().heldMessages()).isEqualTo(2);
        }
    }

    @Test
    void doesNotWaitIfItIsNotTo() {
        try (Slipring slipring = slipring()) {
            Ring ring = slipring.create(RingSpec.named("r"));
            kept.set(Integer.MAX_VALUE);
            assertThatThrownBy(() -> push(ring, Duration.ZERO))
                    .isInstanceOf(LaneKept.class)
                    .hasMessageContaining("kept (0)");
            assertThat(ring.info().heldMessages()).isZero();
            kept.set(0);
        }
    }

    /** Once the lane is free, there is room for some of the messages, but not for all. */
    @Test
    void whatFindsRoomBehindAKeptLaneIsIn() {
        try (Slipring slipring = slipring()) {
            Ring ring = slipring.create(RingSpec.named("r").messages(2));
            Pusher pusher = new Pusher(ring, Duration.ofSeconds(5));
            List.of("a", "b", "c").forEach(text -> pusher.add(Message.of(text)));
            kept.set(3);
            assertThatThrownBy(pusher::push).isInstanceOf(RingFull.class);
            assertThat(pusher.pushed()).isEqualTo(2);
            assertThat(ring.info().heldMessages()).isEqualTo(2);
        }
    }
}
