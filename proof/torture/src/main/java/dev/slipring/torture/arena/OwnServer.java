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
final class OwnServer implements Server {

    private static final String DATABASE = "torture";
    private static final long MOST_TO_START = TimeUnit.SECONDS.toNanos(120);

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

    /** The one that a URL of a kind and a folder asks for. */
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

    /** Another of its kind in a new folder on a disk that is going to be full. */
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

    @Override
    public void kill() throws IOException, InterruptedException {
        ProcessHandle server = process.toHandle();
        // The parent first and at once: it must not be there to see its children end.
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
        // Its number may be somebody else's by now.
        Files.deleteIfExists(data().resolve("postmaster.pid"));
    }

    @Override
    public void start() throws IOException, InterruptedException {
        Path log = folder.resolve("server.log");
        process =
                new ProcessBuilder(kind.command(home, data(), port))
                        .redirectErrorStream(true)
                        .redirectOutput(ProcessBuilder.Redirect.appendTo(log.toFile()))
                        .start();
        awaitReady(log);
    }

    @Override
    public void revive() throws IOException, InterruptedException {
        if (process.isAlive()) {
            try {
                awaitReady(folder.resolve("server.log"));
                return;
            } catch (IOException e) {
                // It came to its end while we looked.
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

    @Override
    public long pid() {
        return process.pid();
    }

    /**
     * How many bytes its folder has, without the logs that grow by all that is written until they
     * are old enough, whoever writes.
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

    /** Whether a file is of MySQL's log for its replicas, or of PostgreSQL's log for a crash. */
    private static boolean isLog(Path file) {
        return file.getFileName().toString().startsWith("binlog.")
                || file.getParent().endsWith("pg_wal");
    }

    private static long size(Path file) throws IOException {
        try {
            return Files.isRegularFile(file) ? Files.size(file) : 0;
        } catch (NoSuchFileException e) {
            // It went while we looked.
            return 0;
        }
    }

    /** Leaves no process behind. */
    private void end() {
        try {
            if (process != null && process.isAlive()) {
                kill();
            }
        } catch (IOException e) {
            // Nobody is there to hear it, and the processes are dead before it can happen.
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
