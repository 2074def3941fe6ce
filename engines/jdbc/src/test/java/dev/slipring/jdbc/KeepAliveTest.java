// SPDX-License-Identifier: Apache-2.0
package dev.slipring.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import dev.slipring.Ring;
import dev.slipring.Slipring;
import dev.slipring.graph.RingSpec;
import dev.slipring.kit.server.Proxy;
import dev.slipring.kit.server.Server;
import dev.slipring.kit.server.ServerFiles;

import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.mariadb.jdbc.Configuration;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/** How soon it is noticed that a server is gone without a word, in the midst of a call. */
class KeepAliveTest {

    @RegisterExtension private static final SharedServers SERVERS = new SharedServers();

    @ParameterizedTest
    @EnumSource(names = {"MARIADB_11", "MYSQL_8"})
    void aServerThatDoesNotAnswerIsAskedSoonWhetherItIsThere(ServerFiles files)
            throws SQLException {
        Server server = SERVERS.of(files);
        String url = server.url(server.newDatabase());
        Configuration usual = told(url);
        assertThat(usual.tcpKeepAlive()).isTrue();
        assertThat(usual.tcpKeepIdle()).isEqualTo(60);
        assertThat(usual.tcpKeepInterval()).isEqualTo(10);
        assertThat(usual.tcpKeepCount()).isEqualTo(6);
        assertThat(told(url + "?tcpKeepIdle=7").tcpKeepIdle()).isEqualTo(7);
    }

    /** As where a firewall has forgotten it. The driver's own limit for the question is none. */
    @ParameterizedTest
    @EnumSource(names = {"MARIADB_11", "MYSQL_8"})
    void anIdleConnectionThatIsGoneWithoutAWordIsReplaced(ServerFiles files) throws Exception {
        Server server = SERVERS.of(files);
        String database = server.newDatabase();
        try (Proxy proxy = new Proxy(server.port())) {
            Slipring slipring = Slipring.open(server.url(database, proxy.port()));
            Ring ring = slipring.create(RingSpec.named("far").lanes(1));
            ring.push("first");
            // What was used less than a second ago is not asked. The server itself ends what is
            // idle for a minute.
            TimeUnit.MILLISECONDS.sleep(1_500);
            proxy.silence();
            CompletableFuture.runAsync(() -> ring.push("second")).get(30, TimeUnit.SECONDS);
            assertThat(ring.info().heldMessages()).isEqualTo(2);
            slipring.close();
        }
    }

    private static Configuration told(String url) throws SQLException {
        try (Connection connection = MySqlConnector.connect(ServerUrl.parse(url))) {
            return connection.unwrap(org.mariadb.jdbc.Connection.class).getContext().getConf();
        }
    }
}
