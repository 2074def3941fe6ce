// SPDX-License-Identifier: Apache-2.0
package dev.slipring.torture.arena;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.util.concurrent.atomic.AtomicInteger;

/** A wire to a server that answers every byte with the same byte. */
class WireTest {

    private final AtomicInteger heard = new AtomicInteger();
    private ServerSocket server;
    private Wire wire;
    private Socket client;

    @BeforeEach
    void connect() throws IOException {
        server = new ServerSocket(0, 10, InetAddress.getLoopbackAddress());
        Thread echo = new Thread(this::echo);
        echo.setDaemon(true);
        echo.start();
        wire = new Wire("127.0.0.1", server.getLocalPort());
        client = new Socket(InetAddress.getLoopbackAddress(), wire.port());
        client.setSoTimeout(10_000);
        assertThat(ask(1)).isEqualTo(1);
    }

    @AfterEach
    void close() throws IOException {
        client.close();
        wire.close();
        server.close();
    }

    private void echo() {
        try (Socket socket = server.accept()) {
            for (int b = socket.getInputStream().read();
                    b >= 0;
                    b = socket.getInputStream().read()) {
                heard.set(b);
                socket.getOutputStream().write(b);
            }
        } catch (IOException e) {
            heard.set(-1);
        }
    }

    private int ask(int what) throws IOException {
        client.getOutputStream().write(what);
        return client.getInputStream().read();
    }

    private void awaitHeard(int what) throws InterruptedException {
        while (heard.get() != what) {
            Thread.sleep(5);
        }
    }

    @Test
    void itIsCut() {
        assertThat(wire.connections()).isEqualTo(1);
        wire.cut();
        assertThatThrownBy(() -> ask(2)).isInstanceOf(SocketException.class);
        assertThat(wire.connections()).isZero();
    }

    @Test
    void itLosesAnswers() throws Exception {
        wire.loseAnswers();
        client.getOutputStream().write(3);
        awaitHeard(3);
        client.setSoTimeout(100);
        assertThatThrownBy(() -> client.getInputStream().read())
                .isInstanceOf(SocketTimeoutException.class);
    }

    @Test
    void itStallsAndGoesOn() throws Exception {
        wire.stall();
        client.getOutputStream().write(4);
        client.setSoTimeout(100);
        assertThatThrownBy(() -> client.getInputStream().read())
                .isInstanceOf(SocketTimeoutException.class);
        assertThat(heard.get()).isEqualTo(1);
        wire.goOn();
        client.setSoTimeout(10_000);
        assertThat(client.getInputStream().read()).isEqualTo(4);
    }
}
