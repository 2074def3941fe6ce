// SPDX-License-Identifier: Apache-2.0
package dev.slipring.kit.server;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;

/** A proxy before a server of this machine, which can cut connections at chosen moments. */
public final class Proxy implements AutoCloseable {

    /** When a connection is cut. */
    public enum Cut {
        /** The request does not reach the server. */
        BEFORE,
        /** The server has done what it was asked for, but its answer does not come back. */
        AFTER
    }

    /**
     * Which request is meant, and when to cut its connection, or what to do before passing it on.
     */
    private record Plan(String marker, Cut cut, int times, Runnable first) {

        boolean isFor(byte[] bytes, int length) {
            return new String(bytes, 0, length, StandardCharsets.ISO_8859_1).contains(marker);
        }

        Plan next() {
            return times > 1 ? new Plan(marker, cut, times - 1, null) : null;
        }
    }

    private final ServerSocket door;
    private final int server;
    private final AtomicReference<Plan> plan = new AtomicReference<>();
    private final AtomicInteger requests = new AtomicInteger();
    private final AtomicInteger connections = new AtomicInteger();

    /** How many bytes of an answer come back where the rest is cut off. */
    private volatile int part;

    /** How many connections, the first ones, are silent. */
    private volatile int silent;

    /** A proxy before a port. */
    public Proxy(int server) throws IOException {
        this.server = server;
        door = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        start(this::accept);
    }

    /** The port of the proxy itself. */
    public int port() {
        return door.getLocalPort();
    }

    /** Cuts the connection on which the next request with these words comes. */
    public void cut(String marker, Cut when) {
        cut(marker, when, 1);
    }

    /** Cuts the connections on which the next requests with these words come, this many times. */
    public void cut(String marker, Cut when, int times) {
        plan.set(new Plan(marker, when, times, null));
    }

    /** From now on so many bytes of an answer come back before its connection is cut. */
    public void letThrough(int bytes) {
        part = bytes;
    }

    /** Does something before the next request with these words is passed on. */
    public void before(String marker, Runnable first) {
        plan.set(new Plan(marker, null, 1, first));
    }

    /** Whether what was planned has happened. */
    public boolean hasCut() {
        return plan.get() == null;
    }

    /** How often clients sent something so far: as many round trips at most, where all is short. */
    public int requests() {
        return requests.get();
    }

    /**
     * From now on nothing passes on the connections that are open now, and nobody is told, as where
     * a firewall has forgotten them. New ones work.
     */
    public void silence() {
        silent = connections.get();
    }

    private void accept() throws IOException {
        while (!door.isClosed()) {
            Socket client = door.accept();
            start(() -> serve(client));
        }
    }

    private void serve(Socket client) throws IOException {
        // If the server is away, the client is told so by the end of its connection.
        try (client;
                Socket there = new Socket(InetAddress.getLoopbackAddress(), server)) {
            client.setTcpNoDelay(true);
            there.setTcpNoDelay(true);
            AtomicReference<Plan> mine = new AtomicReference<>();
            int number = connections.incrementAndGet();
            start(() -> answers(client, there, mine, number));
            requests(client, there, mine, number);
        }
    }

    private void requests(Socket client, Socket there, AtomicReference<Plan> mine, int number)
            throws IOException {
        try (client;
                there) {
            InputStream in = client.getInputStream();
            OutputStream out = there.getOutputStream();
            byte[] bytes = new byte[1 << 16];
            for (int length = in.read(bytes); length >= 0; length = in.read(bytes)) {
                requests.incrementAndGet();
                Plan now = plan.get();
                if (now != null
                        && now.isFor(bytes, length)
                        && plan.compareAndSet(now, now.next())) {
                    if (now.first() != null) {
                        now.first().run();
                    } else {
                        mine.set(now);
                    }
                    if (now.cut() == Cut.BEFORE) {
                        return;
                    }
                }
                pass(out, bytes, length, number);
            }
        }
    }

    private void pass(OutputStream out, byte[] bytes, int length, int number) throws IOException {
        if (number > silent) {
            out.write(bytes, 0, length);
        }
    }

    private void answers(Socket client, Socket there, AtomicReference<Plan> mine, int number)
            throws IOException {
        try (client;
                there) {
            InputStream in = there.getInputStream();
            OutputStream out = client.getOutputStream();
            byte[] bytes = new byte[1 << 16];
            for (int length = in.read(bytes); length >= 0; length = in.read(bytes)) {
                if (mine.get() != null) {
                    pass(out, bytes, Math.min(length, part), number);
                    return;
                }
                pass(out, bytes, length, number);
            }
        }
    }

    /** What a thread of the proxy does; a connection that ends is no failure. */
    @FunctionalInterface
    private interface Task {
        void run() throws IOException;
    }

    private static void start(Task task) {
        Thread thread =
                new Thread(
                        () -> {
                            try {
                                task.run();
                            } catch (IOException e) {
                                // One of the two sides has ended the connection, which ends the
                                // other side too.
                                return;
                            }
                        },
                        "proxy");
        thread.setDaemon(true);
        thread.start();
    }

    @Override
    public void close() throws IOException {
        door.close();
    }
}
