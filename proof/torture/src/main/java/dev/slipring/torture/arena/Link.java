// SPDX-License-Identifier: Apache-2.0
package dev.slipring.torture.arena;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.Socket;

/** A connection on a wire: two sockets, and a thread for each direction. */
final class Link {

    private static final int BUFFER = 1 << 15;

    private final Wire wire;
    private final Socket client;
    private final Socket server;
    private volatile boolean answersAreLost;

    Link(Wire wire, Socket client, Socket server) throws IOException {
        this.wire = wire;
        this.client = client;
        this.server = server;
        client.setTcpNoDelay(true);
        server.setTcpNoDelay(true);
        wire.add(this);
        start("there", () -> carry(client.getInputStream(), server.getOutputStream(), false));
        start("back", () -> carry(server.getInputStream(), client.getOutputStream(), true));
    }

    /** Carries bytes until there are no more. */
    private interface Carrying {
        void run() throws IOException, InterruptedException;
    }

    private void start(String name, Carrying carrying) {
        Thread thread =
                new Thread(
                        () -> {
                            try {
                                carrying.run();
                            } catch (IOException e) {
                                // One end is gone; the other is closed below.
                                return;
                            } catch (InterruptedException e) {
                                Thread.currentThread().interrupt();
                            } finally {
                                cut();
                            }
                        },
                        "wire-" + name);
        thread.setDaemon(true);
        thread.start();
    }

    private void carry(InputStream in, OutputStream out, boolean answers)
            throws IOException, InterruptedException {
        byte[] buffer = new byte[BUFFER];
        for (int count = in.read(buffer); count >= 0; count = in.read(buffer)) {
            wire.pass();
            if (!answers || !answersAreLost) {
                out.write(buffer, 0, count);
            }
        }
    }

    void loseAnswers() {
        answersAreLost = true;
    }

    /** Ends both sides at once, with a reset instead of an orderly close. */
    void cut() {
        wire.remove(this);
        end(client);
        end(server);
    }

    private static void end(Socket socket) {
        try {
            if (!socket.isClosed()) {
                socket.setSoLinger(true, 0);
            }
        } catch (IOException gone) {
            // If that fails, closing it is enough.
        }
        try {
            socket.close();
        } catch (IOException gone) {
            return;
        }
    }
}
