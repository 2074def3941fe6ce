// SPDX-License-Identifier: Apache-2.0
package dev.slipring.bench.subject;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.slipring.bench.load.Bodies;
import dev.slipring.kit.server.RunningServer;
import dev.slipring.kit.server.ServerFiles;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.function.BooleanSupplier;

/** The table queue on MySQL is as fast as a careful user's, and closes what it opens. */
class ServerNaiveTest {

    @RegisterExtension
    private static final RunningServer SERVER = new RunningServer(ServerFiles.MYSQL_8);

    /** One for each length would push the others out of the driver's cache. */
    @Test
    void takesOfAnyLengthShareFewStatements() throws Exception {
        try (ServerTable table = new ServerTable(url(), 1)) {
            table.create();
            table.insert(Bodies.bodies(0, 1000));
            long before = SERVER.get().status("Com_stmt_prepare");
            long left = 1000;
            for (int most = 1; most <= 40; most++) {
                assertThat(table.delete(0, most)).hasSize(most);
                left -= most;
                assertThat(table.count(0)).isEqualTo(left);
            }
            assertThat(SERVER.get().status("Com_stmt_prepare") - before).isLessThan(10);
        }
    }

    @Test
    void aPushThatFailsLeavesNoConnection() throws Exception {
        String url = url();
        try (ServerNaive naive = new ServerNaive(url, new Plan(1000, 1));
                Connection connection = ServerTarget.connect(url)) {
            for (int i = 0; i < 5; i++) {
                assertThatThrownBy(() -> naive.push(List.of(new byte[3000])))
                        .isInstanceOf(SQLException.class);
            }
            naive.push(List.of(new byte[300]));
            // This one, one that pushes, and one that takes.
            await(() -> connections(connection) <= 3);
        }
    }

    private static String url() {
        return SERVER.get().url(SERVER.get().newDatabase());
    }

    private static int connections(Connection connection) {
        try (Statement statement = connection.createStatement();
                ResultSet row =
                        statement.executeQuery(
                                "SELECT COUNT(*) FROM information_schema.processlist"
                                        + " WHERE db = DATABASE()")) {
            row.next();
            return row.getInt(1);
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Waits, as a server may need a moment to notice the end of a connection. */
    private static void await(BooleanSupplier few) throws InterruptedException {
        long deadline = System.nanoTime() + Duration.ofSeconds(20).toNanos();
        while (!few.getAsBoolean() && System.nanoTime() - deadline < 0) {
            Thread.sleep(10);
        }
        assertThat(few.getAsBoolean()).isTrue();
    }
}
