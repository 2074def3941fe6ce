// SPDX-License-Identifier: Apache-2.0
package dev.slipring.sqlite;

import dev.slipring.StoreFailed;
import dev.slipring.sql.RootCause;

import org.sqlite.JDBC;
import org.sqlite.NativeLibraryNotFoundException;
import org.sqlite.SQLiteJDBCLoader;
import org.sqlite.util.LibraryLoaderUtil;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Properties;

/**
 * The file of a store. It is never opened but by SQLite: when a process closes any handle of a file
 * it loses all locks that it has on it.
 */
final class SqliteFile {

    /** What Java puts where the bytes of a name are no letter. */
    private static final char UNREADABLE = '\uFFFD';

    private SqliteFile() {}

    /** Where connections come from. */
    interface Source {

        /** A new connection. */
        Connection connect() throws SQLException;
    }

    /** The file of that name, if it looks as if it could be opened. */
    static Path check(String name) {
        Path file;
        try {
            file = Path.of(name).toAbsolutePath();
        } catch (InvalidPathException e) {
            throw new StoreFailed(
                    "'"
                            + name
                            + "' is not the name of a file; if it is beyond ASCII, Java has to run"
                            + " with a locale that has its letters (LC_ALL=C.UTF-8)",
                    e);
        }
        if (name.indexOf(UNREADABLE) >= 0) {
            throw new StoreFailed(
                    "the name of the file "
                            + file
                            + " is not in the encoding of the locale, so Java would take another"
                            + " file; rename it, or use a symbolic link");
        }
        Path folder = file.getParent();
        if (Files.isDirectory(file)) {
            throw new StoreFailed(file + " is a folder; name a file in it");
        }
        if (Files.exists(file) && !Files.isRegularFile(file)) {
            throw new StoreFailed(file + " is a device or a pipe; name an ordinary file");
        }
        if (folder != null && Files.exists(folder) && !Files.isDirectory(folder)) {
            throw new StoreFailed(folder + " is no folder, so there is no " + file + " in it");
        }
        if (folder == null || !Files.isDirectory(folder)) {
            throw new StoreFailed("the folder " + folder + " does not exist; make it first");
        }
        if (Files.exists(file) && !Files.isWritable(file)) {
            throw new StoreFailed(
                    "the file "
                            + file
                            + " is read-only; this process needs the right to write to it");
        }
        if (!Files.isWritable(folder)) {
            throw new StoreFailed(
                    "the folder "
                            + folder
                            + " is read-only; SQLite needs to make"
                            + " files beside "
                            + file.getFileName());
        }
        requireOneName(file);
        return file;
    }

    /** Refuses a file that has other names, hard links: SQLite keeps a log for each name. */
    static void requireOneName(Path file) {
        try {
            if (file.getFileSystem().supportedFileAttributeViews().contains("unix")
                    && (int) Files.getAttribute(file, "unix:nlink") > 1) {
                throw new StoreFailed(
                        "the file "
                                + file
                                + " has more than one name (hard links); who opens it by another"
                                + " one would not see what is pushed here, and the other way round;"
                                + " remove the other names, or use a symbolic link");
            }
        } catch (IOException e) {
            // The attempt to open it will say what is wrong.
        }
    }

    /** Connections to a file. */
    static Source source(Path file) {
        Properties properties = new Properties();
        // Else the driver asks for the last rowid after each insert.
        properties.setProperty("jdbc.get_generated_keys", "false");
        // The driver would take a '?' in the name of a folder for the beginning of its options.
        String name = file.toString().contains("?") ? file.toUri().toString() : file.toString();
        return () -> {
            requireLibrary();
            return JDBC.createConnection("jdbc:sqlite:" + name, properties);
        };
    }

    /**
     * Loads the library of SQLite's, which the driver unpacks into a folder. If the driver were
     * left to do it with its first connection it would say nothing of the folder, and its later
     * connections would break off with errors of Java's.
     */
    private static void requireLibrary() {
        try {
            SQLiteJDBCLoader.initialize();
        } catch (NoClassDefFoundError e) {
            // Whoever opens the store says that the driver is not there.
            throw e;
        } catch (Exception | LinkageError e) {
            throw new StoreFailed(notLoaded(e) + " (" + first(e) + ")", e);
        }
    }

    /** Why the library is not loaded, and what to do. */
    static String notLoaded(Throwable e) {
        if (RootCause.of(e) instanceof IllegalCallerException) {
            return "Java was told not to load SQLite's library; start it with"
                    + " --enable-native-access=ALL-UNNAMED, or on the module path with"
                    + " --enable-native-access=org.xerial.sqlitejdbc";
        }
        if (e instanceof NativeLibraryNotFoundException
                && !LibraryLoaderUtil.hasNativeLib(
                        LibraryLoaderUtil.getNativeLibResourcePath(),
                        LibraryLoaderUtil.getNativeLibName())) {
            return "the driver on the class path has no library of SQLite's for this machine; the"
                    + " complete sqlite-jdbc (not without-natives) has those of most machines";
        }
        return "SQLite's library cannot be unpacked into "
                + System.getProperty("org.sqlite.tmpdir", System.getProperty("java.io.tmpdir"))
                + " and loaded from there; name a folder that is there, has 2 MB free"
                + " and is not mounted with noexec: -Dorg.sqlite.tmpdir=FOLDER, for the"
                + " command line in SLIPRING_JAVA_OPTS";
    }

    /** What is behind an error, which may have no words of its own. */
    private static String first(Throwable e) {
        Throwable first = RootCause.of(e);
        return first instanceof Error ? first.toString() : first.getMessage();
    }

    /** The file of a connection; empty for a database in memory. */
    static String of(Statements statements) {
        String[] found = {""};
        statements.each(
                "PRAGMA database_list",
                row -> {
                    if (row.getString(2).equals("main")) {
                        found[0] = row.getString(3);
                    }
                    return true;
                });
        return found[0] == null ? "" : found[0];
    }

    /** Whether a connection goes to the file. */
    static boolean isSame(String one, Path file) {
        try {
            return !one.isEmpty() && Files.isSameFile(Path.of(one), file);
        } catch (IOException e) {
            return false;
        }
    }
}
