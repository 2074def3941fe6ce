// SPDX-License-Identifier: Apache-2.0
package dev.slipring.torture.arena;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * A wire between clients and a server: what comes to a port of the loopback is carried to the
 * server and back. It can be cut, lose what the server says, and stall. Thread-safe.
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
                // The door is closed, or who knocked is gone.
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

    /** Waits while it stalls. */
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

    /** From now on what the server says on the connections of now is lost. */
    public void loseAnswers() {
        links.forEach(Link::loseAnswers);
    }

    /** Nothing passes, and nothing is lost, until it is let go on. */
    public void stall() {
        stalled = true;
    }

    /** Lets all pass again. */
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
