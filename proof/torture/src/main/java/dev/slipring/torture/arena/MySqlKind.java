// SPDX-License-Identifier: Apache-2.0
package dev.slipring.torture.arena;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** MariaDB or MySQL. */
final class MySqlKind implements ServerKind {

    private static final List<String> TABLES =
            List.of("system_tables", "performance_tables", "system_tables_data");

    private final boolean maria;

    /** The options of this server besides those that all have. */
    private final List<String> more;

    MySqlKind(boolean maria) {
        this(maria, List.of());
    }

    private MySqlKind(boolean maria, List<String> more) {
        this.maria = maria;
        this.more = more;
    }

    /** Without a binary log: MySQL looks only once a minute whether it has room again. */
    @Override
    public ServerKind onFullDisk() {
        return maria ? this : new MySqlKind(false, List.of("--skip-log-bin"));
    }

    @Override
    public String scheme() {
        return maria ? "mariadb" : "mysql";
    }

    @Override
    public String program() {
        return maria ? "bin/mariadbd" : "bin/mysqld";
    }

    @Override
    public List<Path> ofSystem() {
        return List.of(Path.of("/usr"), Path.of("/usr/local"));
    }

    private static Path share(Path home) {
        Path ofSystem = home.resolve("share/mysql");
        return Files.isDirectory(ofSystem) ? ofSystem : home.resolve("share");
    }

    private List<String> start(Path home, Path data) {
        Path share = share(home);
        List<String> command = new ArrayList<>();
        command.addAll(
                List.of(
                        Programs.in(home, program()).toString(),
                        "--no-defaults",
                        "--user=" + System.getProperty("user.name"),
                        "--basedir=" + home,
                        "--lc-messages-dir=" + share,
                        "--character-sets-dir=" + share.resolve("charsets"),
                        maria ? "--skip-grant-tables" : "--mysqlx=OFF",
                        "--datadir=" + data,
                        // A folder of its own: a MariaDB that starts deletes what other servers
                        // have there.
                        "--tmpdir=" + data.resolveSibling("tmp")));
        command.addAll(more);
        return command;
    }

    @Override
    public void initialize(Path home, Path data, Path log)
            throws IOException, InterruptedException {
        Files.createDirectory(data);
        Files.createDirectory(data.resolveSibling("tmp"));
        List<String> command = start(home, data);
        if (!maria) {
            command.add("--initialize-insecure");
            Programs.run(command, log);
            return;
        }
        command.add("--bootstrap");
        command.add("--skip-networking");
        Path share = share(home);
        boolean named = Files.exists(share.resolve("mariadb_system_tables.sql"));
        Path script = data.resolveSibling("tables.sql");
        try (var sql = Files.newOutputStream(script)) {
            sql.write("CREATE DATABASE mysql;\nUSE mysql;\n".getBytes());
            for (String part : TABLES) {
                String name = (named ? "mariadb_" : "mysql_") + part + ".sql";
                Files.copy(share.resolve(name), sql);
            }
        }
        Programs.run(command, script, log);
    }

    @Override
    public List<String> command(Path home, Path data, int port) {
        List<String> command = start(home, data);
        command.addAll(
                List.of(
                        "--port=" + port,
                        "--bind-address=127.0.0.1",
                        "--socket=" + data.resolve("s.sock"),
                        "--pid-file=" + data.resolve("server.pid"),
                        "--innodb-flush-log-at-trx-commit=1",
                        "--performance-schema=OFF",
                        "--max-connections=200"));
        if (maria) {
            // With it the server would make a key and a certificate at each start, which takes
            // seconds.
            command.add("--skip-ssl");
        }
        return command;
    }

    @Override
    public ServerAddress address(int port, String database) {
        return new ServerAddress(scheme(), "root@", "127.0.0.1", port, "/" + database);
    }

    @Override
    public String firstDatabase() {
        return "mysql";
    }
}
