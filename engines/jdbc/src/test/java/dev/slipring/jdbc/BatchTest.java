// SPDX-License-Identifier: Apache-2.0
package dev.slipring.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.slipring.kit.server.Server;
import dev.slipring.kit.server.ServerFiles;

import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;

import java.sql.Connection;
import java.sql.DriverManager;
import java.util.ArrayList;
import java.util.List;

/** Batches in the form in which SQL Server gets them; the sending itself is tried on MariaDB. */
class BatchTest {

    @Test
    void aLineGoEndsABatch() {
        String script = "-- words\nGO\nCREATE a;\n  go  \n-- more\nSELECT 'GO', b\nGO\n\n";
        assertThat(SqlServerMigration.batches(script))
                .containsExactly("CREATE a;", "-- more\nSELECT 'GO', b");
    }

    @Test
    void rowsReachThoseWhoAskedForThem() throws Exception {
        ServerFiles.MARIADB_11.whyNot().ifPresent(Assumptions::abort);
        try (Server server = Server.start(ServerFiles.MARIADB_11);
                Connection connection =
                        DriverManager.getConnection(
                                "jdbc:"
                                        + server.url(server.newDatabase()).replace("root@", "")
                                        + "?user=root&allowMultiQueries=true")) {
            BatchSession session = new BatchSession(connection, 1 << 20);
            List<String> read = new ArrayList<>();
            Script script = new Script();
            script.run("CREATE TABLE t (a INT PRIMARY KEY, b VARCHAR(9))").run("BEGIN");
            script.run("INSERT INTO t VALUES (?, ?)", 1, "one");
            script.read("SELECT b FROM t WHERE a = ?", row -> read.add(row.getString(1)), 1);
            script.run("UPDATE t SET b = ? WHERE a = ?", "uno", 1);
            script.read("SELECT b FROM t WHERE a = ?", row -> read.add(row.getString(1)), 2);
            script.read("SELECT b FROM t WHERE a = ?", row -> read.add(row.getString(1)), 1);
            script.run("COMMIT");
            script.read("SELECT COUNT(*) FROM t", row -> read.add(row.getString(1)));
            session.run(script);
            assertThat(read).containsExactly("one", "uno", "1");

            Script large = new Script();
            for (int i = 2; i < 3_000; i++) {
                large.run("INSERT INTO t VALUES (?, '')", i);
            }
            large.read("SELECT COUNT(*) FROM t", row -> read.add(row.getString(1)));
            session.run(large);
            assertThat(read).as("more values than one call takes").endsWith("2999");

            Script wrong = new Script().read("SELECT ?", row -> {}, 1);
            wrong.run("INSERT INTO t VALUES (?, '')", 1);
            assertThatThrownBy(() -> session.run(wrong))
                    .as("an error of the last statement of a batch")
                    .isInstanceOf(SqlFailed.class)
                    .hasMessageContaining("Duplicate");
        }
    }
}
