// SPDX-License-Identifier: Apache-2.0
package dev.slipring.jdbc;

import org.mariadb.jdbc.Driver;

import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketAddress;

import javax.net.SocketFactory;

/**
 * Makes the sockets of MariaDB's Connector/J, which fail where the server has ended a connection.
 * The driver passes over what it does not need of an answer, and does not see that nothing more
 * comes: with Java's sockets it would go on for ever. Public as the driver makes it by its name.
 */
public final class MySqlSockets extends SocketFactory {

    /** As the driver does it. */
    public MySqlSockets() {}

    /** Whether the driver finds it: the two may have been loaded apart from each other. */
    static boolean areSeenByDriver() {
        try {
            ClassLoader loader = Driver.class.getClassLoader();
            return Class.forName(MySqlSockets.class.getName(), false, loader) == MySqlSockets.class;
        } catch (ClassNotFoundException | LinkageError e) {
            return false;
        }
    }

    @Override
    public Socket createSocket() {
        return new FailingSocket();
    }

    @Override
    public Socket createSocket(String host, int port) throws IOException {
        return connect(new InetSocketAddress(host, port), null);
    }

    @Override
    public Socket createSocket(String host, int port, InetAddress from, int fromPort)
            throws IOException {
        return connect(new InetSocketAddress(host, port), new InetSocketAddress(from, fromPort));
    }

    @Override
    public Socket createSocket(InetAddress host, int port) throws IOException {
        return connect(new InetSocketAddress(host, port), null);
    }

    @Override
    public Socket createSocket(InetAddress host, int port, InetAddress from, int fromPort)
            throws IOException {
        return connect(new InetSocketAddress(host, port), new InetSocketAddress(from, fromPort));
    }

    private Socket connect(SocketAddress to, SocketAddress from) throws IOException {
        Socket socket = createSocket();
        try {
            socket.bind(from);
            socket.connect(to);
            return socket;
        } catch (IOException e) {
            socket.close();
            throw e;
        }
    }

    private static final class FailingSocket extends Socket {

        @Override
        public InputStream getInputStream() throws IOException {
            return new FailingStream(super.getInputStream());
        }
    }

    /**
     * Fails at its end. Not as one that has an end: TLS would take that for the end of what it
     * carries, and say so to the driver in the same way.
     */
    private static final class FailingStream extends FilterInputStream {

        private static final int MOST_SKIPPED = 2_048;

        FailingStream(InputStream in) {
            super(in);
        }

        @Override
        public int read() throws IOException {
            return checked(super.read());
        }

        @Override
        public int read(byte[] bytes, int from, int length) throws IOException {
            return checked(super.read(bytes, from, length));
        }

        @Override
        public long skip(long most) throws IOException {
            return most <= 0 ? 0 : read(new byte[(int) Math.min(most, MOST_SKIPPED)]);
        }

        private static int checked(int read) throws IOException {
            if (read < 0) {
                throw new IOException("the server has ended the connection");
            }
            return read;
        }
    }
}
