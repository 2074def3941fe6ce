// SPDX-License-Identifier: Apache-2.0
package dev.slipring.postgresql;

import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;

/** A server in a folder of its own, which a test may kill, stop and start again. */
final class OwnServer implements AutoCloseable {

    private final Path data;
    private EmbeddedPostgres running;
    private int port;

    OwnServer(Path folder) {
        data = folder.resolve("data");
    }

    /** Starts it, on the port that it had before. */
    OwnServer start() throws IOException {
        running =
                EmbeddedPostgres.builder()
                        .setDataDirectory(data)
                        .setCleanDataDirectory(false)
                        .setPort(port)
                        .setPGStartupWait(Server.PATIENCE)
                        .setServerConfig("fsync", "on")
                        .setServerConfig("synchronous_commit", "on")
                        // So that commits that do not wait for the disk stay in memory, and can be
                        // lost.
                        .setServerConfig("wal_writer_delay", "10s")
                        .start();
        port = running.getPort();
        return this;
    }

    int port() {
        return port;
    }

    String url() {
        return url("postgres", "postgres");
    }

    String url(String who, String database) {
        return "postgresql://" + who + "@127.0.0.1:" + port + "/" + database;
    }

    Path data() {
        return data;
    }

    private ProcessHandle process() throws IOException {
        Path file = data.resolve("postmaster.pid");
        return ProcessHandle.of(Long.parseLong(Files.readAllLines(file).get(0))).orElseThrow();
    }

    /** Ends it as a loss of power would. */
    void kill() throws IOException, InterruptedException {
        ProcessHandle server = process();
        // Children first, so that the server does not react to their end.
        server.children().forEach(ProcessHandle::destroyForcibly);
        server.destroyForcibly();
        awaitEnd(server);
        Files.deleteIfExists(data.resolve("postmaster.pid"));
        running.close();
    }

    /** Shuts it down as for a switchover to another server: sessions are told, and cut off. */
    void shutDown() throws IOException, InterruptedException {
        ProcessHandle server = process();
        new ProcessBuilder("kill", "-INT", String.valueOf(server.pid())).start().waitFor();
        awaitEnd(server);
        running.close();
    }

    private static void awaitEnd(ProcessHandle server) throws InterruptedException {
        while (server.isAlive()) {
            TimeUnit.MILLISECONDS.sleep(10);
        }
    }

    @Override
    public void close() throws IOException {
        running.close();
    }
}
