// SPDX-License-Identifier: Apache-2.0
package dev.slipring.kit.server;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * A server of the PostgreSQL 15 that Debian packages, with the programs that come with it, in a
 * folder of the test's own. Only for machines where it is installed.
 */
public final class DebianPostgres implements AutoCloseable {

    private static final Path PROGRAMS = Path.of("/usr/lib/postgresql/15/bin");
    private static final Path EXTENSIONS = Path.of("/usr/share/postgresql/15/extension");
    private static final String USER = "postgres";

    /** A busy disk can keep a server that starts for more than a minute. */
    private static final String PATIENCE_SECONDS = "180";

    private final Path folder;
    private final int port;

    /** Starts one in an empty folder. */
    public DebianPostgres(Path folder) throws IOException, InterruptedException {
        this.folder = folder;
        giveAway(folder);
        run("initdb", "-D", data(), "-U", USER, "-A", "trust", "-E", "UTF8", "--locale=C.UTF-8");
        // As late as possible: another process may take the port between this look and the start.
        try (ServerSocket free = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            port = free.getLocalPort();
        }
        run(
                "pg_ctl",
                "-D",
                data(),
                "-l",
                folder.resolve("log").toString(),
                "-o",
                "-p " + port + " -c listen_addresses=127.0.0.1 -c unix_socket_directories=",
                "-w",
                "-t",
                PATIENCE_SECONDS,
                "start");
    }

    /** Whether it is installed. */
    public static boolean isInstalled() {
        return Files.isExecutable(PROGRAMS.resolve("initdb"));
    }

    /** Whether it is installed with an extension. */
    public static boolean isInstalledWith(String extension) {
        return isInstalled() && Files.exists(EXTENSIONS.resolve(extension + ".control"));
    }

    private static boolean isRoot() {
        return System.getProperty("user.name").equals("root");
    }

    /**
     * Lets the servers write to a folder. They refuse to run as root, so they may not write to
     * those of root.
     */
    public static void giveAway(Path folder) throws IOException, InterruptedException {
        if (isRoot()) {
            run(List.of("chown", USER, folder.toString()));
        }
    }

    /** A command, run by a user who is not root. */
    public static List<String> asUser(String... command) {
        List<String> words = new ArrayList<>();
        if (isRoot()) {
            words.addAll(List.of("runuser", "-u", USER, "--"));
        }
        words.addAll(List.of(command));
        return words;
    }

    private String data() {
        return folder.resolve("data").toString();
    }

    /** Its port on the loopback. */
    public int port() {
        return port;
    }

    /** The URL of a database, for its superuser. */
    public String url(String database) {
        return "postgresql://" + USER + "@127.0.0.1:" + port + "/" + database;
    }

    /**
     * Runs a program of the server's package. Returns what it prints, or throws it if the program
     * fails.
     */
    public static String run(String program, String... arguments)
            throws IOException, InterruptedException {
        List<String> command = asUser(PROGRAMS.resolve(program).toString());
        command.addAll(List.of(arguments));
        return run(command);
    }

    private static String run(List<String> command) throws IOException, InterruptedException {
        Path said = Files.createTempFile("server", ".txt");
        try {
            Process process =
                    new ProcessBuilder(command)
                            .directory(Path.of("/").toFile())
                            .redirectErrorStream(true)
                            .redirectOutput(said.toFile())
                            .start();
            boolean ended = process.waitFor(4, TimeUnit.MINUTES);
            String words = Files.readString(said);
            if (!ended || process.exitValue() != 0) {
                process.destroyForcibly();
                throw new IOException(String.join(" ", command) + ": " + words);
            }
            return words;
        } finally {
            Files.delete(said);
        }
    }

    @Override
    public void close() throws IOException, InterruptedException {
        run("pg_ctl", "-D", data(), "-m", "immediate", "-w", "stop");
    }
}
