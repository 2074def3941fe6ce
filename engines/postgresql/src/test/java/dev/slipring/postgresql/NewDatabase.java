// SPDX-License-Identifier: Apache-2.0
package dev.slipring.postgresql;

import static org.assertj.core.api.Assertions.assertThat;

import dev.slipring.Ring;
import dev.slipring.Slipring;
import dev.slipring.graph.Graph;
import dev.slipring.graph.RingSpec;

import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/** A new, empty database for each test, dropped after it, and all that a test opens on it here. */
final class NewDatabase implements BeforeEachCallback, AfterEachCallback {

    /** The statement of {@link #nextSegment}, for a transaction that does more; see {@link #of}. */
    static final String NEXT_SEGMENT =
            "SELECT setval('slipring.turn_{ring}', 1 +"
                    + " pg_sequence_last_value('slipring.turn_{ring}'))";

    /**
     * A condition on pg_locks, which has the locks of all databases: sessions that wait in this
     * one.
     */
    static final String WAITS =
            "NOT granted AND database ="
                    + " (SELECT oid FROM pg_database WHERE datname = current_database())";

    private String url;
    private Slipring slipring;
    private Connection other;

    @Override
    public void beforeEach(ExtensionContext context) throws SQLException {
        url = Server.newDatabase();
    }

    @Override
    public void afterEach(ExtensionContext context) throws SQLException {
        if (other != null) {
            other.close();
        }
        if (slipring != null) {
            slipring.close();
        }
        other = null;
        slipring = null;
        Server.drop(url);
    }

    /** The opened store on it, always the same one. */
    Slipring slipring() {
        if (slipring == null) {
            slipring = Slipring.open(url);
        }
        return slipring;
    }

    /** A new ring {@code r} with the one stage {@code main}. */
    Ring ring(int lanes) {
        return slipring().create(RingSpec.named("r").lanes(lanes));
    }

    /** A new ring {@code r} of a graph. */
    Ring ring(int lanes, Graph graph) {
        return slipring().create(RingSpec.named("r").lanes(lanes).graph(graph));
    }

    /** A connection of somebody else, always the same one. */
    Connection other() throws SQLException {
        if (other == null) {
            other = connect();
        }
        return other;
    }

    String url() {
        return url;
    }

    /** The port of its server. */
    int port() {
        return Integer.parseInt(url.substring(url.lastIndexOf(':') + 1, url.lastIndexOf('/')));
    }

    /** Its URL with another port, of something in front of its server. */
    String url(int port) {
        return url.substring(0, url.lastIndexOf(':') + 1)
                + port
                + url.substring(url.lastIndexOf('/'));
    }

    /** Its URL for another role. */
    String url(String role) {
        return url.replaceFirst("//[^@]*@", "//" + role + "@");
    }

    String name() {
        return url.substring(url.lastIndexOf('/') + 1);
    }

    Connection connect() throws SQLException {
        return Server.connect(url);
    }

    /** A statement, with the id of the ring r, or of the only ring, in place of {@code {ring}}. */
    String of(String sql) throws SQLException {
        return sql.contains("{ring}")
                ? sql.replace("{ring}", text("SELECT id FROM slipring.ring ORDER BY name <> 'r'"))
                : sql;
    }

    void run(String sql) throws SQLException {
        String known = of(sql);
        try (Connection connection = connect();
                Statement statement = connection.createStatement()) {
            statement.execute(known);
        }
    }

    /** Lets the next segment of the only ring begin, as if the current one were full. */
    void nextSegment() throws SQLException {
        run(NEXT_SEGMENT);
    }

    /** How many bytes the only ring counts as held when it looks for room. */
    long heldBytes() throws SQLException {
        return number("SELECT bytes - (slipring.room(r, false)).bytes FROM slipring.ring r");
    }

    /** The first value of the first row, as a text. */
    String text(String sql) throws SQLException {
        String known = of(sql);
        try (Connection connection = connect();
                Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(known)) {
            row.next();
            return row.getString(1);
        }
    }

    /** The first value of the first row. */
    long number(String sql) throws SQLException {
        return Long.parseLong(text(sql));
    }

    /**
     * Waits until a number is as large as {@code least}, until something is over, or for a minute;
     * returns the number.
     */
    long await(String sql, long least, CompletableFuture<?> something) throws SQLException {
        long deadline = System.nanoTime() + TimeUnit.MINUTES.toNanos(1);
        long number;
        do {
            number = number(sql);
        } while (number < least && !something.isDone() && System.nanoTime() - deadline < 0);
        return number;
    }

    /** Waits until a change waits for open transactions. */
    void awaitTrying(CompletableFuture<?> change) throws SQLException {
        String sql =
                "SELECT count(*) FROM pg_stat_activity WHERE wait_event = 'PgSleep'"
                        + " AND datname = current_database()";
        assertThat(await(sql, 1, change)).as("who waits without a place in a queue").isOne();
    }

    /**
     * Waits until this many sessions wait for locks of a kind; {@code something} must not be over
     * before.
     */
    void awaitWaiting(long many, String kind, CompletableFuture<?> something) throws SQLException {
        String sql = "SELECT count(*) FROM pg_locks WHERE " + kind + " AND " + WAITS;
        assertThat(await(sql, many, something))
                .as("who wait where " + kind)
                .isGreaterThanOrEqualTo(many);
    }
}
