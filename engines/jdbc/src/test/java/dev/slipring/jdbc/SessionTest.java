// SPDX-License-Identifier: Apache-2.0
package dev.slipring.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.slipring.kit.server.Server;
import dev.slipring.kit.server.ServerFiles;

import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import java.sql.Connection;
import java.sql.DriverManager;
import java.util.ArrayList;
import java.util.List;

/** A connection that runs scripts goes on after a script that failed, wherever that was. */
class SessionTest {

    @ParameterizedTest
    @EnumSource(names = {"MARIADB_11", "MYSQL_8"})
    @Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
    void anErrorAmongSeveralResultsKeepsNobodyWaiting(ServerFiles files) throws Exception {
        files.whyNot().ifPresent(Assumptions::abort);
        try (Server server = Server.start(files);
                Connection connection =
                        DriverManager.getConnection(
                                "jdbc:mariadb:"
                                        + server.url(server.newDatabase())
                                                .replaceFirst("^[a-z]+:", "")
                                                .replace("root@", "")
                                        + "?user=root&allowMultiQueries=true"
                                        + "&useServerPrepStmts=true")) {
            Session session = new Session(connection, true, 1 << 20);
            List<String> read = new ArrayList<>();
            for (int i = 0; i < 3; i++) {
                Script wrong = new Script().run("BEGIN");
                wrong.read("SELECT ?", row -> {}, i).run("INSERT INTO not_there VALUES (?)", i);
                assertThatThrownBy(() -> session.run(wrong)).isInstanceOf(SqlFailed.class);
                session.run(new Script().run("ROLLBACK"));
                session.run(new Script().read("SELECT ?", row -> read.add(row.getString(1)), i));
            }
            assertThat(read).containsExactly("0", "1", "2");
            assertThat(session.isLost()).isFalse();
        }
    }
}
