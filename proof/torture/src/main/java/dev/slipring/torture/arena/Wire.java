// SPDX-License-Identifier: Apache-2.0
package dev.slipring.torture.arena;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * A proxy between clients and a server: it carries what comes to a port of the loopback to the
 * server, and the answers back. It can cut connections, lose answers, and stall. Thread-safe.
 */
public final class Wire implements AutoCloseable {

    private final ServerSocket door;
    private final String host;
    private final int serverPort;
    private final Set<Link> links = ConcurrentHashMap.newKeySet();
    private volatile boolean stalled;

    Wire(String host, int serverPort) throws IOException {
        this.host = host;
        this.serverPort = serverPort;
        this.door = new ServerSocket(0, 200, InetAddress.getLoopbackAddress());
        Thread porter = new Thread(this::open, "wire");
        porter.setDaemon(true);
        porter.start();
    }

    int port() {
        return door.getLocalPort();
    }

    private void open() {
        while (!door.isClosed()) {
            try {
                Socket client = door.accept();
                try {
                    new Link(this, client, new Socket(host, serverPort));
                } catch (IOException noServer) {
                    client.close();
                }
            } catch (IOException e) {
                // The port is closed, or the client has gone again.
                continue;
            }
        }
    }

    void add(Link link) {
        links.add(link);
    }

    void remove(Link link) {
        links.remove(link);
    }

    /** Waits as long as the wire stalls. */
    void pass() throws InterruptedException {
        while (stalled) {
            synchronized (this) {
                if (stalled) {
                    wait();
                }
            }
        }
    }

    /** Cuts all connections. */
    public void cut() {
        links.forEach(Link::cut);
    }

    /** From now on the server's answers on all connections that are open now are lost. */
    public void loseAnswers() {
        links.forEach(Link::loseAnswers);
    }

    /** From now on nothing passes, and nothing is lost, until {@link #goOn}. */
    public void stall() {
        stalled = true;
    }

    /** Lets everything pass again. */
    public synchronized void goOn() {
        stalled = false;
        notifyAll();
    }

    /** How many connections there are. */
    public int connections() {
        return links.size();
    }

    @Override
    public void close() throws IOException {
        door.close();
        goOn();
        cut();
    }
}
