// SPDX-License-Identifier: Apache-2.0
package dev.slipring.jdbc;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.atomic.AtomicInteger;

/** Stands between a store and its server, and cuts connections on which some words are said. */
final class Cutter implements AutoCloseable {

    private final ServerSocket front;
    private final int server;
    private final String words;
    private final AtomicInteger cuts;

    /**
     * A cutter before a port of this machine.
     *
     * @param words what is not let through, in one packet
     * @param cuts how often it is not
     */
    Cutter(int server, String words, int cuts) throws IOException {
        this.server = server;
        this.words = words;
        this.cuts = new AtomicInteger(cuts);
        front = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        start(this::accept);
    }

    int port() {
        return front.getLocalPort();
    }

    /** How often it is still to cut. */
    int left() {
        return cuts.get();
    }

    private static void start(Runnable work) {
        Thread thread = new Thread(work, "cutter");
        thread.setDaemon(true);
        thread.start();
    }

    private void accept() {
        while (!front.isClosed()) {
            try {
                Socket client = front.accept();
                Socket behind = new Socket(InetAddress.getLoopbackAddress(), server);
                start(() -> pass(client, behind, true));
                start(() -> pass(behind, client, false));
            } catch (IOException e) {
                if (!front.isClosed()) {
                    throw new UncheckedIOException(e);
                }
            }
        }
    }

    private void pass(Socket from, Socket to, boolean asks) {
        byte[] bytes = new byte[1 << 16];
        try (from;
                to;
                InputStream in = from.getInputStream()) {
            for (int n = in.read(bytes); n >= 0; n = in.read(bytes)) {
                String said = new String(bytes, 0, n, StandardCharsets.ISO_8859_1);
                if (asks
                        && said.contains(words)
                        && cuts.getAndUpdate(c -> Math.max(c - 1, 0)) > 0) {
                    return;
                }
                to.getOutputStream().write(bytes, 0, n);
            }
        } catch (IOException e) {
            // One of the two is gone, so the other goes, too.
            return;
        }
    }

    @Override
    public void close() throws IOException {
        front.close();
    }
}
