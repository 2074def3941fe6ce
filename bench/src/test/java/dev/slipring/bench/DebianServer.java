// SPDX-License-Identifier: Apache-2.0
package dev.slipring.bench;

import java.io.IOException;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * A server of the PostgreSQL 15 that Debian packages, with PgQ beside it. Where it is not installed
 * there is none.
 */
final class DebianServer implements AutoCloseable {

    private static final Path BIN = Path.of("/usr/lib/postgresql/15/bin");
    private static final Path PGQ = Path.of("/usr/share/postgresql/15/extension/pgq.control");

    private final Path folder;
    private final int port;

    /** Starts one in an empty folder. */
    DebianServer(Path folder) throws IOException, InterruptedException {
        this.folder = folder;
        try (ServerSocket free = new ServerSocket(0)) {
            port = free.getLocalPort();
        }
        if (isRoot()) {
            run(List.of("chown", "postgres", folder.toString()));
        }
        server("initdb", "-D", data(), "-U", "postgres", "-A", "trust", "-E", "UTF8");
        server(
                "pg_ctl",
                "-D",
                data(),
                "-l",
                folder.resolve("log").toString(),
                "-o",
                "-p " + port + " -c listen_addresses=127.0.0.1 -c unix_socket_directories=",
                "-w",
                "start");
    }

    static boolean isInstalled() {
        return Files.isExecutable(BIN.resolve("initdb")) && Files.exists(PGQ);
    }

    private static boolean isRoot() {
        return System.getProperty("user.name").equals("root");
    }

    private String data() {
        return folder.resolve("data").toString();
    }

    String url() {
        return "postgresql://postgres@127.0.0.1:" + port + "/postgres";
    }

    /** PostgreSQL refuses to run as root. */
    private void server(String program, String... arguments)
            throws IOException, InterruptedException {
        List<String> command = new ArrayList<>();
        if (isRoot()) {
            command.addAll(List.of("runuser", "-u", "postgres", "--"));
        }
        command.add(BIN.resolve(program).toString());
        command.addAll(List.of(arguments));
        run(command);
    }

    private void run(List<String> command) throws IOException, InterruptedException {
        Path said = Files.createTempFile("bench", ".txt");
        Process process =
                new ProcessBuilder(command)
                        .directory(folder.toFile())
                        .redirectErrorStream(true)
                        .redirectOutput(said.toFile())
                        .start();
        boolean ended = process.waitFor(60, TimeUnit.SECONDS);
        if (!ended || process.exitValue() != 0) {
            throw new IOException(command + ": " + Files.readString(said));
        }
        Files.delete(said);
    }

    @Override
    public void close() throws IOException, InterruptedException {
        server("pg_ctl", "-D", data(), "-m", "immediate", "-w", "stop");
    }
}
