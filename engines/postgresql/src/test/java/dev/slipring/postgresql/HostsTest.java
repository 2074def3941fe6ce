// SPDX-License-Identifier: Apache-2.0
package dev.slipring.postgresql;

import static org.assertj.core.api.Assertions.assertThat;

import dev.slipring.Slipring;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.StandardSocketOptions;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.sql.Connection;
import java.util.ArrayList;
import java.util.List;

/** A URL of several hosts, of which one does not answer: the next is come to. */
@Timeout(120)
class HostsTest {

    @RegisterExtension private final NewDatabase database = new NewDatabase();

    /** A machine that is stopped: its system takes connections, and nobody speaks on them. */
    @Test
    void aHostThatIsSilentIsLeft() throws Exception {
        try (ServerSocket silent = new ServerSocket(0, 50, InetAddress.getLoopbackAddress())) {
            assertOpens(url(silent.getLocalPort(), ""));
        }
    }

    /** A machine that is off: it does not even refuse connections. */
    @Test
    void aHostThatIsOffIsLeft() throws Exception {
        List<SocketChannel> waiting = new ArrayList<>();
        try (ServerSocketChannel full = ServerSocketChannel.open()) {
            full.setOption(StandardSocketOptions.SO_REUSEADDR, true);
            full.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 1);
            for (int i = 0; i < 8; i++) {
                SocketChannel one = SocketChannel.open();
                one.configureBlocking(false);
                one.connect(full.getLocalAddress());
                waiting.add(one);
            }
            assertOpens(url(((InetSocketAddress) full.getLocalAddress()).getPort(), ""));
        } finally {
            for (SocketChannel one : waiting) {
                one.close();
            }
        }
    }

    private String url(int port, String options) {
        return database.url(port)
                .replace("/" + database.name(), ",127.0.0.1:" + database.port() + "/")
                .concat(database.name() + "?targetServerType=primary" + options);
    }

    private static void assertOpens(String url) {
        try (Slipring slipring = Slipring.open(url)) {
            assertThat(slipring.rings()).isEmpty();
        }
    }

    /** What limits the steps to a connection does not limit the calls on it. */
    @Test
    void aCallHasNoLimit() throws Exception {
        assertThat(networkTimeout(url(database.port(), ""))).isZero();
        assertThat(networkTimeout(url(database.port(), "&socketTimeout=77"))).isEqualTo(77_000);
    }

    private static int networkTimeout(String url) throws Exception {
        try (Connection connection = PostgresUrl.parse(url).dataSource().getConnection()) {
            return connection.getNetworkTimeout();
        }
    }
}
