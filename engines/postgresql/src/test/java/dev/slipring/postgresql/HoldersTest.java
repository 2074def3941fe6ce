// SPDX-License-Identifier: Apache-2.0
package dev.slipring.postgresql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.slipring.Message;
import dev.slipring.Options;
import dev.slipring.Ring;
import dev.slipring.RingFull;
import dev.slipring.Slipring;
import dev.slipring.graph.RingSpec;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.concurrent.TimeUnit;

/** Which sessions are named as keeping segments, or pages of the log, from being used again. */
class HoldersTest {

    private static final String USER = "SELECT slipring.user_of('slipring.slot_{ring}_0')";

    @RegisterExtension private final NewDatabase database = new NewDatabase();

    @Test
    void aPreparedTransaction() throws SQLException {
        database.slipring().create(RingSpec.named("r"));
        database.run(
                "BEGIN; SELECT count(*) FROM slipring.slot_{ring}_0; PREPARE TRANSACTION 'two'");
        String user = database.text(USER);
        database.run("ROLLBACK PREPARED 'two'");
        assertThat(user).startsWith("prepared transaction 'two' has used its segments");
        assertThat(database.text(USER)).isNull();
    }

    /**
     * An owner that is no superuser may not see since when another role uses a segment, so that is
     * not said.
     */
    @Test
    void whatIsNotSeenIsNotSaid() throws SQLException {
        database.slipring().create(RingSpec.named("r"));
        try (Connection holder = database.other();
                Connection looker = database.connect();
                Statement holds = holder.createStatement();
                Statement looks = looker.createStatement()) {
            holds.execute("BEGIN");
            holds.execute(database.of("SELECT count(*) FROM slipring.slot_{ring}_0"));
            assertThat(database.text(USER)).containsPattern("segments for [0-9]+ s and keeps");
            looks.execute("BEGIN");
            looks.execute("CREATE ROLE looker");
            looks.execute("GRANT USAGE ON SCHEMA slipring TO looker");
            looks.execute("GRANT EXECUTE ON FUNCTION slipring.user_of TO looker");
            looks.execute("SET LOCAL ROLE looker");
            try (ResultSet row = looks.executeQuery(database.of(USER))) {
                assertThat(row.next()).isTrue();
                assertThat(row.getString(1)).contains("has used its segments and keeps");
            }
            looks.execute("ROLLBACK");
        }
    }

    /**
     * Sessions of another database are not named, although a copy of a database has tables with the
     * same numbers.
     */
    @Test
    void nobodyOfAnotherDatabase() throws SQLException {
        try (Slipring slipring = Slipring.open(database.url())) {
            slipring.create(RingSpec.named("r"));
        }
        String copy = Server.copy(database.url());
        try (Connection connection = Server.connect(copy);
                Statement sql = connection.createStatement()) {
            sql.execute("BEGIN");
            sql.execute(database.of("SELECT count(*) FROM slipring.slot_{ring}_0"));
            assertThat(database.text(USER)).isNull();
        } finally {
            Server.drop(copy);
        }
    }

    /**
     * A session that has read the next page of the log, and stays open, is named: the current page
     * would grow without end.
     */
    @Test
    void whoHasUsedThePageThatComesNext() throws SQLException {
        Ring ring =
                Slipring.open(Options.url(database.url()).pushTimeout(Duration.ZERO))
                        .create(RingSpec.named("r"));
        String words =
                "INSERT INTO slipring.word SELECT %d, 1, 'gone', 0, 0, i, now(), '{}', '{}',"
                        + " ARRAY(SELECT md5(random()::text) FROM generate_series(1, 45)), '{}',"
                        + " 'keep' FROM generate_series(1, %d) i";
        database.run(String.format(words, 0, 80_000));
        database.run(String.format(words, 1, 1));
        try (Statement holder = database.other().createStatement()) {
            holder.execute("BEGIN");
            holder.execute("SELECT * FROM slipring.word_1");
            database.run("SELECT slipring.tidy('r')");
            assertThatThrownBy(() -> ring.push("x"))
                    .isInstanceOf(RingFull.class)
                    .hasMessageContaining("process ")
                    .hasMessageContaining("keeps them from being used again");
            holder.execute("COMMIT");
        }
        long deadline = System.nanoTime() + TimeUnit.MINUTES.toNanos(1);
        while (database.number("SELECT slipring.page_size(0)") > 0
                && System.nanoTime() - deadline < 0) {
            // More than once also because the store itself may be at it, and only one can.
            database.run("SELECT slipring.tidy('r')");
        }
        assertThat(database.number("SELECT slipring.page_size(0)")).isZero();
        ring.push(Message.of("x"), Duration.ofSeconds(30));
    }

    /**
     * A note about a session that is gone is removed, although no worker is there and all pushes
     * are refused.
     */
    @Test
    void whatKeptItIsGone() throws Exception {
        Ring ring = database.slipring().create(RingSpec.named("r"));
        ring.push("not done");
        for (int turn = 0; turn < 7; turn++) {
            database.nextSegment();
        }
        database.number("SELECT setval(stuck, 1) FROM slipring.ring");
        database.number("SELECT count(slipring.no_credit(id)) FROM slipring.ring");
        assertThatThrownBy(() -> ring.push(Message.of("refused"), Duration.ZERO))
                .isInstanceOf(RingFull.class)
                .hasMessageContaining("is not done with message");
        long deadline = System.nanoTime() + TimeUnit.MINUTES.toNanos(1);
        while (database.number("SELECT pg_sequence_last_value(stuck) FROM slipring.ring") > 0
                && System.nanoTime() - deadline < 0) {
            Thread.sleep(10);
        }
        ring.push(Message.of("taken"), Duration.ZERO);
    }
}
