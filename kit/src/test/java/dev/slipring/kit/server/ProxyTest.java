// SPDX-License-Identifier: Apache-2.0
package dev.slipring.kit.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketException;

/** A proxy serves a server that comes back. */
class ProxyTest {

    private static final InetAddress HERE = InetAddress.getLoopbackAddress();
    private static final int PATIENCE_MILLIS = 20_000;

    @Test
    void aServerMayBeAwayForAWhile() throws Exception {
        ServerSocket server = new ServerSocket(0, 50, HERE);
        int port = server.getLocalPort();
        try (Proxy proxy = new Proxy(port)) {
            assertThat(answer(proxy, server)).isEqualTo(7);
            server.close();
            assertThat(endOf(proxy)).isTrue();
            assertThat(endOf(proxy)).isTrue();
            try (ServerSocket again = new ServerSocket(port, 50, HERE)) {
                assertThat(answer(proxy, again)).isEqualTo(7);
            }
        }
    }

    @Test
    void afterItsEndNobodyIsServed() throws Exception {
        Proxy proxy = new Proxy(1);
        proxy.close();
        assertThatThrownBy(() -> new Socket(HERE, proxy.port()).close())
                .isInstanceOf(IOException.class);
    }

    /** What comes back through the proxy for a byte that is sent. */
    private static int answer(Proxy proxy, ServerSocket server) throws IOException {
        server.setSoTimeout(PATIENCE_MILLIS);
        try (Socket client = new Socket(HERE, proxy.port());
                Socket there = server.accept()) {
            client.setSoTimeout(PATIENCE_MILLIS);
            client.getOutputStream().write(7);
            there.getOutputStream().write(there.getInputStream().read());
            return client.getInputStream().read();
        }
    }

    /** Whether a connection is ended at once, as there is no server. */
    private static boolean endOf(Proxy proxy) throws IOException {
        try (Socket client = new Socket(HERE, proxy.port())) {
            client.setSoTimeout(PATIENCE_MILLIS);
            return client.getInputStream().read() < 0;
        } catch (SocketException e) {
            return true;
        }
    }
}
