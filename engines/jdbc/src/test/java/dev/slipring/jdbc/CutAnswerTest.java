// SPDX-License-Identifier: Apache-2.0
package dev.slipring.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import dev.slipring.kit.server.Proxy;
import dev.slipring.kit.server.Server;
import dev.slipring.kit.server.ServerFiles;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.SQLNonTransientConnectionException;
import java.time.Duration;

/** A connection that ends in the midst of an answer. */
class CutAnswerTest {

    @RegisterExtension private static final SharedServers SERVERS = new SharedServers();

    /**
     * The answer to a prepare has a part for each value, which the driver passes over. It went on
     * for ever, with a processor of its own, where such a part had an end too soon.
     */
    @Test
    void itIsNotWaitedForWhereTheRestIsCutOff() throws Exception {
        Server server = SERVERS.of(ServerFiles.MARIADB_11);
        String database = server.newDatabase();
        for (int bytes = 1; bytes < 80; bytes += 3) {
            try (Proxy proxy = new Proxy(server.port());
                    Connection connection =
                            MySqlConnector.connect(
                                    ServerUrl.parse(server.url(database, proxy.port())))) {
                proxy.letThrough(bytes);
                proxy.cut("", Proxy.Cut.AFTER);
                assertTimeoutPreemptively(
                        Duration.ofSeconds(20),
                        () ->
                                assertThatThrownBy(() -> prepare(connection))
                                        .isInstanceOf(SQLException.class));
            }
        }
    }

    /** Where the driver sends what it begins with, it hides what has happened to the connection. */
    @Test
    void aConnectionThatEndsAsItBeginsIsLostAsAnyOther() throws Exception {
        Server server = SERVERS.of(ServerFiles.MARIADB_11);
        try (Proxy proxy = new Proxy(server.port())) {
            ServerUrl url = ServerUrl.parse(server.url(server.newDatabase(), proxy.port()));
            for (Proxy.Cut when : Proxy.Cut.values()) {
                proxy.cut("session_track_system_variables", when);
                assertThatThrownBy(() -> MySqlConnector.connect(url).close())
                        .isInstanceOf(SQLNonTransientConnectionException.class);
                assertThat(proxy.hasCut()).isTrue();
            }
        }
    }

    private static void prepare(Connection connection) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement("SELECT ? + ? AS sum")) {
            statement.setLong(1, 1);
            statement.setLong(2, 2);
            statement.execute();
        }
    }
}
