// SPDX-License-Identifier: Apache-2.0
package dev.slipring.torture.arena;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/** PostgreSQL. */
final class PostgresKind implements ServerKind {

    @Override
    public String scheme() {
        return "postgresql";
    }

    @Override
    public String program() {
        return "bin/postgres";
    }

    @Override
    public List<Path> ofSystem() throws IOException {
        Path all = Path.of("/usr/lib/postgresql");
        if (!Files.isDirectory(all)) {
            return List.of(Path.of("/usr"), Path.of("/usr/local"));
        }
        try (Stream<Path> versions = Files.list(all)) {
            return versions.sorted(Comparator.reverseOrder()).toList();
        }
    }

    /**
     * The command, run without root's rights, as PostgreSQL refuses to run as root: in a user
     * namespace of its own, root counts as nobody.
     */
    private static List<String> unprivileged(String... command) {
        boolean root = "root".equals(System.getProperty("user.name"));
        List<String> all = new ArrayList<>(root ? List.of("unshare", "-U") : List.of());
        all.addAll(List.of(command));
        return all;
    }

    @Override
    public void initialize(Path home, Path data, Path log)
            throws IOException, InterruptedException {
        Programs.run(
                unprivileged(
                        home.resolve("bin/initdb").toString(),
                        "--pgdata=" + data,
                        "--username=postgres",
                        "--auth=trust",
                        "--encoding=UTF8",
                        "--locale=C",
                        "--no-sync"),
                log);
    }

    @Override
    public List<String> command(Path home, Path data, int port) {
        return unprivileged(
                home.resolve(program()).toString(),
                "-D",
                data.toString(),
                "-p",
                "" + port,
                "-c",
                "listen_addresses=127.0.0.1",
                "-c",
                "unix_socket_directories=",
                "-c",
                "fsync=on",
                "-c",
                "synchronous_commit=on",
                "-c",
                "max_connections=200");
    }

    @Override
    public boolean keepsMemoryWhenKilled() {
        return true;
    }

    @Override
    public ServerAddress address(int port, String database) {
        return new ServerAddress(scheme(), "postgres@", "127.0.0.1", port, "/" + database);
    }

    @Override
    public String firstDatabase() {
        return "postgres";
    }
}
