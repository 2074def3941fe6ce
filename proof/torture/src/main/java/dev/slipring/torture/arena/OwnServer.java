// SPDX-License-Identifier: Apache-2.0
package dev.slipring.torture.arena;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/** A server of the torture's own: on a free port of the loopback, in a new folder. */
public final class OwnServer {

    private static final String DATABASE = "torture";
    private static final long MOST_TO_START = TimeUnit.SECONDS.toNanos(120);
    private static final long MOST_TO_QUIT_SECONDS = 10;

    private final ServerKind kind;
    private final Path folder;
    private final Thread last = new Thread(this::end, "server-end");
    private Path home;
    private int port;
    private Process process;

    private OwnServer(ServerKind kind, Path folder) {
        this.kind = kind;
        this.folder = folder;
    }

    /** The server that a URL with a kind and a folder asks for. */
    static OwnServer in(ServerKind kind, String url) {
        String name = url.substring(kind.scheme().length() + 1);
        if (name.isEmpty()) {
            throw new IllegalArgumentException(
                    "the URL '" + url + "' names no folder; write " + kind.scheme() + ":FOLDER");
        }
        Path folder = Path.of(name).toAbsolutePath();
        if (Files.exists(folder)) {
            throw new IllegalArgumentException(
                    "there is '" + folder + "' already; torture makes a server in a new folder");
        }
        Arena.checkParent(folder);
        return new OwnServer(kind, folder);
    }

    Path folder() {
        return folder;
    }

    /** Another server of this kind, in a new folder on a disk that will be filled. */
    OwnServer on(Path disk) {
        return new OwnServer(kind.onFullDisk(), disk.resolve("server"));
    }

    /** Makes the data folder and a database, and starts. */
    void create() throws IOException, InterruptedException {
        home = Programs.home(kind);
        Files.createDirectories(folder);
        kind.initialize(home, data(), folder.resolve("initialize.log"));
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            port = socket.getLocalPort();
        }
        Runtime.getRuntime().addShutdownHook(last);
        start();
        try (Connection connection = kind.address(port, kind.firstDatabase()).connect();
                Statement statement = connection.createStatement()) {
            statement.execute("CREATE DATABASE " + DATABASE);
        } catch (SQLException e) {
            throw new IOException("the new server makes no database: " + e.getMessage(), e);
        }
    }

    private Path data() {
        return folder.resolve("data");
    }

    ServerAddress address() {
        return kind.address(port, DATABASE);
    }

    /** Ends its processes with {@code kill -9}. */
    public void kill() throws IOException, InterruptedException {
        ProcessHandle server = process.toHandle();
        // The parent is stopped first, so that it does not see its children end.
        new ProcessBuilder("kill", "-STOP", "" + server.pid()).start().waitFor();
        List<ProcessHandle> children = server.descendants().toList();
        children.forEach(ProcessHandle::destroyForcibly);
        server.destroyForcibly();
        process.waitFor();
        for (ProcessHandle child : children) {
            while (child.isAlive()) {
                Thread.sleep(1);
            }
        }
        // The file names a process whose number another process may have by now.
        Files.deleteIfExists(data().resolve("postmaster.pid"));
    }

    /** Has it end at once by itself, if it can. */
    private void quit() throws IOException, InterruptedException {
        new ProcessBuilder("kill", "-QUIT", "" + process.pid()).start().waitFor();
        process.waitFor(MOST_TO_QUIT_SECONDS, TimeUnit.SECONDS);
    }

    /** Starts it again, and returns when it takes connections. */
    public void start() throws IOException, InterruptedException {
        Path log = folder.resolve("server.log");
        process =
                new ProcessBuilder(kind.command(home, data(), port))
                        .redirectErrorStream(true)
                        .redirectOutput(ProcessBuilder.Redirect.appendTo(log.toFile()))
                        .start();
        awaitReady(log);
    }

    /** Makes it take connections again if something has ended it. */
    public void revive() throws IOException, InterruptedException {
        if (process.isAlive()) {
            try {
                awaitReady(folder.resolve("server.log"));
                return;
            } catch (IOException e) {
                // It has ended while this thread tried to connect.
                process.waitFor();
            }
        }
        Files.deleteIfExists(data().resolve("postmaster.pid"));
        start();
    }

    private void awaitReady(Path log) throws IOException, InterruptedException {
        long begin = System.nanoTime();
        while (true) {
            try (Connection connection = kind.address(port, kind.firstDatabase()).connect()) {
                return;
            } catch (SQLException e) {
                if (!process.isAlive() || System.nanoTime() - begin > MOST_TO_START) {
                    throw new IOException("the server does not start; its words: " + log, e);
                }
                Thread.sleep(20);
            }
        }
    }

    /** The number of its first process. */
    public long pid() {
        return process.pid();
    }

    /**
     * How many bytes its folder has, without the logs: these grow with every write, until old parts
     * of them are removed.
     */
    long bytes() throws IOException {
        long sum = 0;
        try (Stream<Path> files = Files.walk(data())) {
            for (Path file : files.toList()) {
                sum += isLog(file) ? 0 : size(file);
            }
        }
        return sum;
    }

    /** Whether a file belongs to MySQL's binary log or to PostgreSQL's write-ahead log. */
    private static boolean isLog(Path file) {
        return file.getFileName().toString().startsWith("binlog.")
                || file.getParent().endsWith("pg_wal");
    }

    private static long size(Path file) throws IOException {
        try {
            return Files.isRegularFile(file) ? Files.size(file) : 0;
        } catch (NoSuchFileException e) {
            // The file was removed meanwhile.
            return 0;
        }
    }

    /** Ends the server, so that nothing of it is left behind. */
    private void end() {
        try {
            if (process != null && process.isAlive() && kind.keepsMemoryWhenKilled()) {
                quit();
            }
            if (process != null && process.isAlive()) {
                kill();
            }
        } catch (IOException e) {
            // Nobody is left who could be told, and the processes are dead before this can happen.
            return;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    void close() {
        end();
        Runtime.getRuntime().removeShutdownHook(last);
    }

    void delete() throws IOException {
        try (Stream<Path> all = Files.walk(folder)) {
            for (Path path : all.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(path);
            }
        }
    }
}
