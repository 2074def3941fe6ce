// SPDX-License-Identifier: Apache-2.0
package dev.slipring.postgresql;

import static org.assertj.core.api.Assertions.assertThat;

import dev.slipring.Claim;
import dev.slipring.Ring;
import dev.slipring.Stage;
import dev.slipring.graph.Start;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

import java.sql.SQLException;
import java.time.Duration;

/**
 * Looks at several segments turn off the server's just-in-time compiler, which would cost more than
 * it saves.
 */
class UncompiledTest {

    @RegisterExtension private final NewDatabase database = new NewDatabase();

    private Ring ring;

    /** From now on looks fail if the compiler is on. */
    @BeforeEach
    void breakWhereItIsOn() throws SQLException {
        ring = database.ring(2);
        database.run("ALTER DATABASE " + database.name() + " SET jit = on");
        database.run("ALTER FUNCTION slipring.segments RENAME TO segments_plain");
        database.run(
                "CREATE FUNCTION slipring.segments(ring_id bigint, from_turn bigint,"
                        + " to_turn bigint, which text) RETURNS text LANGUAGE plpgsql AS $$ BEGIN"
                        + " IF current_setting('jit')::boolean THEN RAISE 'compiled'; END IF;"
                        + " RETURN slipring.segments_plain(ring_id, from_turn, to_turn, which);"
                        + " END $$");
    }

    @Test
    void workersAndThoseWhoLook() {
        ring.push("a");
        ring.push("b");
        Stage stage = ring.stage();
        try (Claim claim = stage.claim(1, Duration.ZERO)) {
            claim.fail(claim.deliveries().get(0), "once", Duration.ZERO);
        }
        try (Claim retry = stage.claim(1, Duration.ZERO);
                // The word on a retry and the next claim take the long way, in one call.
                Claim next = retry.doneAndNext(1, Duration.ZERO)) {
            assertThat(next.isEmpty()).isFalse();
        }
        assertThat(ring.info().heldMessages()).isPositive();
        assertThat(ring.check()).isEmpty();
        stage.rewind(Start.OLDEST);
        assertThat(stage.claim(1, Duration.ZERO).isEmpty()).isFalse();
    }

    @Test
    void peopleAtPsql() throws SQLException {
        ring.push("a");
        assertThat(database.number("SELECT count(*) FROM slipring.messages('r')")).isEqualTo(1);
        assertThat(database.number("SELECT count(*) FROM slipring.claim('r')")).isEqualTo(1);
        assertThat(database.number("SELECT slipring.pushed('r', 7)")).isZero();
    }
}
