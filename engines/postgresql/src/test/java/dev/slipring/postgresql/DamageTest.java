// SPDX-License-Identifier: Apache-2.0
package dev.slipring.postgresql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.slipring.Claim;
import dev.slipring.Ring;
import dev.slipring.graph.RingSpec;
import dev.slipring.graph.StageSpec;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;

/** Of a ring in which somebody has deleted messages the others are handled. */
@Timeout(120)
class DamageTest {

    private static final String LOST = "message 0-0 is not there any more; run 'slipring check'";

    @RegisterExtension private final NewDatabase database = new NewDatabase();

    private Ring ring;

    @BeforeEach
    void create() {
        ring =
                database.slipring()
                        .create(
                                RingSpec.named("r")
                                        .lanes(1)
                                        .graph(
                                                StageSpec.named("s")
                                                        .tries(2)
                                                        .lease(Duration.ofSeconds(2))));
        ring.push("lost");
    }

    private Claim claim() {
        return ring.stage().claim(1, Duration.ofSeconds(20));
    }

    private void lose() throws SQLException {
        database.run("DELETE FROM slipring.slot_{ring}_0 WHERE until = 1");
    }

    /** Others are handed out at once, and what is lost is in nobody's way once it has died. */
    private void requireGoesOn() {
        ring.push("another");
        Claim next = claim();
        assertThat(next.deliveries()).extracting(one -> one.text()).containsOnly("another");
        next.done();
        while (ring.info().heldMessages() > 0) {
            try (Claim nothing = ring.stage().claim(1, Duration.ofMillis(100))) {
                assertThat(nothing.isEmpty()).isTrue();
            }
        }
    }

    @Test
    void aFailureWhoseMessageIsLostIsRefused() throws SQLException {
        Claim claim = claim();
        lose();
        assertThat(ring.check()).isNotEmpty();
        assertThatThrownBy(() -> claim.fail(claim.deliveries().get(0), "by plan"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage(LOST);
        requireGoesOn();
    }

    @Test
    void soItIsInATransaction() throws SQLException {
        Claim claim = claim();
        lose();
        try (Connection connection = database.connect()) {
            connection.setAutoCommit(false);
            assertThatThrownBy(
                            () ->
                                    ring.join(connection)
                                            .fail(claim, claim.deliveries().get(0), "by plan"))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessage(LOST);
            connection.rollback();
        }
        requireGoesOn();
    }

    /** What was said while it was there is folded in when it is not any more. */
    @Test
    void aFailureThatWasSaidBeforeHoldsNothingUp() throws SQLException {
        Claim claim = claim();
        try (Connection connection = database.connect()) {
            connection.setAutoCommit(false);
            ring.join(connection).fail(claim, claim.deliveries().get(0), "by plan");
            connection.commit();
        }
        lose();
        requireGoesOn();
    }
}
