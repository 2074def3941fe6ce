// SPDX-License-Identifier: Apache-2.0
package dev.slipring.kit.server;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;

/**
 * A MariaDB or MySQL server for one test: on a free port of the loopback, with its own data folder.
 */
public final class Server implements AutoCloseable {

    private static final AtomicInteger DATABASES = new AtomicInteger();

    /** A busy disk can keep a server that starts for more than a minute. */
    private static final int PATIENCE_SECONDS = 180;

    private final ServerFiles files;
    private final Path data;
    private final List<String> options;
    private int port;
    private Process process;

    private Server(ServerFiles files, Path data, List<String> options) {
        this.files = files;
        this.data = data;
        this.options = options;
    }

    /** Starts a server with durable settings. */
    public static Server start(ServerFiles files, String... more) {
        try {
            Path data = Files.createTempDirectory(files.folder(), "server").resolve("data");
            List<String> options = new ArrayList<>(List.of(more));
            Server server = new Server(files, data, options);
            Runtime.getRuntime().addShutdownHook(new Thread(server::close));
            files.initialize(data);
            // As late as possible: another process may take the port between this look and the
            // start.
            server.port = freePort();
            server.launch();
            return server;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static int freePort() throws IOException {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        }
    }

    /** Starts the process, and waits until it answers. */
    public void launch() throws IOException {
        List<String> command = files.command(data);
        command.addAll(
                List.of(
                        "--port=" + port,
                        "--bind-address=127.0.0.1",
                        // Relative to the data folder: a whole path may be too long for a socket.
                        "--socket=s.sock",
                        "--pid-file=" + data.resolve("server.pid"),
                        "--innodb-flush-log-at-trx-commit=1",
                        "--innodb-buffer-pool-size=128M",
                        "--performance-schema=OFF",
                        "--max-connections=200"));
        if (files != ServerFiles.MYSQL_8) {
            // With it the server would make a key and a certificate at each start, which takes
            // seconds.
            command.add("--skip-ssl");
        }
        command.addAll(options);
        process = files.run(command, data.resolve("server.log"));
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(PATIENCE_SECONDS);
        while (true) {
            try (Connection connection = connect("")) {
                requireOwn(connection);
                return;
            } catch (SQLException e) {
                if (!process.isAlive() || System.nanoTime() - deadline > 0) {
                    throw new IllegalStateException(
                            Files.readString(data.resolve("server.log")), e);
                }
                sleep();
            }
        }
    }

    /**
     * Fails if it is another test's server, which may have got the port since it was found free.
     */
    private void requireOwn(Connection connection) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery("SELECT @@datadir")) {
            row.next();
            Path other = Path.of(row.getString(1));
            if (!Files.isSameFile(other, data)) {
                throw new IllegalStateException("port " + port + " is a server's on " + other);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void sleep() {
        try {
            TimeUnit.MILLISECONDS.sleep(20);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** A connection to a database of the server. */
    public Connection connect(String database) throws SQLException {
        return DriverManager.getConnection(
                "jdbc:mariadb://127.0.0.1:" + port + "/" + database, "root", "");
    }

    /** Makes an empty database and returns its name. */
    public String newDatabase() {
        String name = "d" + DATABASES.incrementAndGet();
        run("CREATE DATABASE " + name);
        return name;
    }

    /** Runs a statement. */
    public void run(String sql) {
        try (Connection connection = connect("");
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        } catch (SQLException e) {
            throw new IllegalStateException(sql, e);
        }
    }

    /** One of the counters that the server keeps for all its connections. */
    public long status(String name) {
        try (Connection connection = connect("");
                Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery("SHOW GLOBAL STATUS LIKE '" + name + "'")) {
            row.next();
            return row.getLong(2);
        } catch (SQLException e) {
            throw new IllegalStateException(name, e);
        }
    }

    /** The port that it listens on. */
    public int port() {
        return port;
    }

    /** The URL of a database. */
    public String url(String database) {
        return url(database, port);
    }

    /** The URL of a database, by another port. */
    public String url(String database, int by) {
        return files.urlName() + "://root@127.0.0.1:" + by + "/" + database;
    }

    /** Ends the process at once, as a loss of power would. */
    public void kill() throws InterruptedException {
        process.destroyForcibly().waitFor();
    }

    @Override
    public void close() {
        try {
            kill();
            try (Stream<Path> all = Files.walk(data.getParent())) {
                for (Path path : all.sorted(Comparator.reverseOrder()).toList()) {
                    Files.deleteIfExists(path);
                }
            }
        } catch (IOException e) {
            // Something else in this process is deleting the folder, too.
            return;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
