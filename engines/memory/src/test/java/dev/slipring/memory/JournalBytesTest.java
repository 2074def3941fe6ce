// SPDX-License-Identifier: Apache-2.0
package dev.slipring.memory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.slipring.Message;
import dev.slipring.Options;
import dev.slipring.Ring;
import dev.slipring.RingFull;
import dev.slipring.Slipring;
import dev.slipring.graph.RingSpec;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;

/** How many bytes wait in memory to be written. */
@Timeout(60)
class JournalBytesTest {

    /** The first that finds no room there is refused; that before it waits for room in the ring. */
    @Test
    void thereIsRoomForSoManyBytes() {
        try (Slipring slipring = Slipring.open(Options.url("memory:").journalBytes(100))) {
            Ring ring = slipring.create(RingSpec.named("r").messages(1));
            ring.push("0");
            CompletableFuture<Void> waits = push(ring, Duration.ofMinutes(1));
            assertThatThrownBy(() -> push(ring, Duration.ofMillis(50)).join())
                    .hasCauseInstanceOf(RingFull.class)
                    .hasMessageContaining("did not take what was pushed before");
            assertThat(waits).isNotDone();
            assertThat(ring.stage().drain(message -> {})).isPositive();
            waits.join();
        }
    }

    private static CompletableFuture<Void> push(Ring ring, Duration timeout) {
        return ring.pushAsync(Message.of(new byte[100]), timeout).toCompletableFuture();
    }
}
