// SPDX-License-Identifier: Apache-2.0
package dev.slipring.postgresql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.slipring.Ring;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;

/** A push of unknown outcome and its repetition are one push. */
class RepeatedPushTest {

    @RegisterExtension private final NewDatabase database = new NewDatabase();

    /** The push with number 1 of producer 7, into a lane. */
    private static String push(int lane) {
        return "SELECT slipring.push_{ring}("
                + lane
                + ", 1, slipring.slot_of(ARRAY['x'::bytea], NULL, NULL), 7, 1)";
    }

    private long number(String sql) {
        try {
            return database.number(sql);
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    /** A push that was cut off on its way, and arrives after its repetition. */
    @Test
    void aPushThatComesAfterItsRepetitionIsNotMadeTwice() throws SQLException {
        Ring ring = database.ring(2);
        assertThat(database.number(push(0))).isEqualTo(1);
        assertThat(database.number(push(1))).isEqualTo(2);
        assertThat(ring.info().heldMessages()).isEqualTo(1);
    }

    /** A transaction with an older snapshot would not see the push that it repeats. */
    @Test
    void aPushWithAnOlderViewIsRefused() throws SQLException {
        database.ring(2);
        for (String level : new String[] {"REPEATABLE READ", "SERIALIZABLE"}) {
            assertThatThrownBy(
                            () -> database.run("BEGIN ISOLATION LEVEL " + level + "; " + push(0)))
                    .hasMessageContaining("READ COMMITTED, not at " + level);
        }
    }

    /**
     * A repetition waits even if it goes to another lane, as the push before it is not visible
     * until it is committed.
     */
    @Test
    void aPushWaitsForAnotherOfItsProducer() throws Exception {
        Ring ring = database.ring(2);
        try (Statement statement = database.other().createStatement()) {
            statement.execute("BEGIN");
            statement.execute(database.of(push(0)));
            CompletableFuture<Long> second = CompletableFuture.supplyAsync(() -> number(push(1)));
            database.awaitWaiting(1, "locktype = 'advisory'", second);
            statement.execute("COMMIT");
            assertThat(second.join()).isEqualTo(2);
        }
        assertThat(ring.info().heldMessages()).isEqualTo(1);
    }

    /** The push was under way for so long that its repetition has left the ring already. */
    @Test
    void aPushThatComesWhenItsRepetitionIsGoneIsNotMadeTwice() throws SQLException {
        Ring ring = database.ring(2);
        assertThat(database.number(push(0))).isEqualTo(1);
        ring.stage().claim(1, Duration.ZERO).done();
        for (int i = 0; i < 2; i++) {
            database.nextSegment();
            database.number("SELECT count(slipring.tidy('r'))");
        }
        assertThat(database.number("SELECT count(*) FROM slipring.slot_{ring}_0")).isZero();
        assertThat(database.number(push(1))).isEqualTo(2);
        assertThat(ring.info().heldMessages()).isZero();
    }
}
