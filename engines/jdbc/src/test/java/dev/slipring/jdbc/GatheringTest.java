// SPDX-License-Identifier: Apache-2.0
package dev.slipring.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import dev.slipring.engine.ClaimRequest;
import dev.slipring.engine.Settlement;
import dev.slipring.engine.Ticket;

import org.junit.jupiter.api.Test;

import java.util.List;

/** When a claim waits for more, and when it does not. */
class GatheringTest {

    private static final int MOST = 1_000;

    private final Gathering gathering = new Gathering();
    private final ClaimRequest next =
            new ClaimRequest(
                    "main",
                    MOST,
                    "worker",
                    new Settlement(
                            new Ticket("main", 0, 1, false),
                            List.of(),
                            List.of(),
                            Settlement.Rest.DONE));

    private boolean whilePushing(ClaimRequest request) {
        boolean[] use = new boolean[1];
        gathering.push(() -> use[0] = gathering.isOfUse("ring", request));
        return use[0];
    }

    private boolean after(int count) {
        gathering.claimed("ring", next, count);
        return whilePushing(next);
    }

    @Test
    void aStreamThatIsPushedGathers() {
        assertThat(whilePushing(next)).isFalse();
        assertThat(after(Gathering.STREAM)).isTrue();
        assertThat(after(MOST / 2)).isTrue();
    }

    @Test
    void fewOrManyDoNot() {
        assertThat(after(Gathering.STREAM - 1)).isFalse();
        assertThat(after(MOST / 2 + 1)).isFalse();
    }

    @Test
    void nobodyPushesNobodyWaits() {
        assertThat(after(100)).isTrue();
        assertThat(gathering.isOfUse("ring", next)).isFalse();
        assertThat(whilePushing(new ClaimRequest("main", MOST, "worker"))).isFalse();
        assertThat(whilePushing(new ClaimRequest("other", MOST, "worker", next.before())))
                .isFalse();
    }
}
