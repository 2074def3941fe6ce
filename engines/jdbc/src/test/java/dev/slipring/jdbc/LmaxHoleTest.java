// SPDX-License-Identifier: Apache-2.0
package dev.slipring.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import dev.slipring.Message;
import dev.slipring.Ring;
import dev.slipring.Slipring;
import dev.slipring.graph.RingSpec;
import dev.slipring.kit.server.RunningServer;
import dev.slipring.kit.server.ServerFiles;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.RegisterExtension;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;

/**
 * The queue of Kejser's text beside the ring. There a push that rolls back uses up a number, and
 * pops then wait for that number; in the ring it leaves nothing.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class LmaxHoleTest {

    @RegisterExtension
    private final RunningServer server = new RunningServer(ServerFiles.MARIADB_11);

    @Test
    void aRolledBackPushLeavesAHoleInLmax() throws SQLException {
        try (Connection connection = server.get().connect(server.get().newDatabase());
                Statement sql = connection.createStatement()) {
            sql.execute(
                    "CREATE TABLE q (slot BIGINT PRIMARY KEY, message_id BIGINT,"
                            + " message VARCHAR(300), reference_count TINYINT)");
            sql.execute("INSERT INTO q SELECT seq, NULL, '', 0 FROM seq_0_to_99");
            sql.execute("CREATE SEQUENCE pushes");
            sql.execute("CREATE SEQUENCE pops");
            connection.setAutoCommit(false);
            push(sql, "before");
            connection.commit();
            push(sql, "never");
            connection.rollback();
            push(sql, "after");
            connection.commit();
            assertThat(pop(sql, next(sql, "pops"))).isEqualTo("before");
            long stuck = next(sql, "pops");
            for (int i = 0; i < 10; i++) {
                assertThat(pop(sql, stuck)).as("the pop waits for ever").isNull();
            }
            assertThat(pop(sql, next(sql, "pops"))).as("others pass it").isEqualTo("after");
        }
    }

    private static void push(Statement sql, String message) throws SQLException {
        long id = next(sql, "pushes");
        sql.executeUpdate(
                "UPDATE q SET message = '"
                        + message
                        + "', message_id = "
                        + id
                        + ", reference_count = reference_count + 1 WHERE slot = "
                        + id % 100
                        + " AND reference_count = 0");
    }

    private static String pop(Statement sql, long id) throws SQLException {
        int found =
                sql.executeUpdate(
                        "UPDATE q SET message = (@body := message), message_id = NULL,"
                                + " reference_count = reference_count - 1 WHERE slot = "
                                + id % 100
                                + " AND message_id = "
                                + id);
        try (ResultSet row = sql.executeQuery("SELECT @body")) {
            row.next();
            return found == 0 ? null : row.getString(1);
        }
    }

    private static long next(Statement sql, String sequence) throws SQLException {
        try (ResultSet row = sql.executeQuery("SELECT NEXT VALUE FOR " + sequence)) {
            row.next();
            return row.getLong(1);
        }
    }

    @Test
    void aRolledBackPushLeavesNothingInTheRing() throws SQLException {
        String database = server.get().newDatabase();
        try (Slipring slipring = Slipring.open(server.get().url(database));
                Connection connection = server.get().connect(database)) {
            Ring ring = slipring.create(RingSpec.named("q").lanes(1));
            connection.setAutoCommit(false);
            ring.join(connection).push(Message.of("before"));
            connection.commit();
            ring.join(connection).push(Message.of("never"));
            connection.rollback();
            ring.join(connection).push(Message.of("after"));
            connection.commit();
            List<String> found = new ArrayList<>();
            ring.stage().drain(delivery -> found.add(delivery.text()));
            assertThat(found).containsExactly("before", "after");
            assertThat(ring.check()).isEmpty();
        }
    }
}
