// SPDX-License-Identifier: Apache-2.0
package dev.slipring.sqlite;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Why a file cannot be opened: SQLite does not say, so this looks around it. */
final class Unopened {

    /** The longest of the names that SQLite adds something to. */
    private static final String LONGEST_END = "-journal";

    private static final int MOST_OF_NAME = 255;

    /** SQLite's own, with the end. */
    private static final int MOST_OF_PATH = 512;

    /** Each takes up to two; SQLite wants three or four, and has given back what it had. */
    private static final int FOLDERS = 4;

    private Unopened() {}

    /**
     * The reason and what to do, as far as it can be seen.
     *
     * @param file its name, from the root; what is none is said to be missing a right
     */
    static String words(String file) {
        try {
            Path path = Path.of(file);
            return path.isAbsolute() ? words(path) : right(file);
        } catch (InvalidPathException e) {
            return right(file);
        }
    }

    private static String words(Path file) {
        String shortage = shortage(file.getParent());
        if (shortage != null) {
            return "the file "
                    + file
                    + " cannot be opened, as the system opens no more files for this process or at"
                    + " all ("
                    + shortage
                    + "); allow more of them (ulimit -n), or close some";
        }
        if (Files.isSymbolicLink(file) && !Files.exists(file)) {
            return "the file "
                    + file
                    + " is a symbolic link that leads nowhere, or where this process may not look;"
                    + " point it to a file, or into a folder, that is there";
        }
        String name = String.valueOf(file.getFileName());
        if (length(name) > MOST_OF_NAME || length(file.toString()) > MOST_OF_PATH) {
            return "the name of the file "
                    + file
                    + " is too long: with its folders it may have "
                    + (MOST_OF_PATH - LONGEST_END.length())
                    + " bytes, without them "
                    + (MOST_OF_NAME - LONGEST_END.length())
                    + ", as SQLite makes files beside it with longer names";
        }
        for (String end : List.of("-wal", "-shm", LONGEST_END)) {
            Path beside = Path.of(file + end);
            if (Files.exists(beside) && !(Files.isReadable(beside) && Files.isWritable(beside))) {
                return "the file "
                        + beside
                        + " belongs to "
                        + file.getFileName()
                        + " and cannot be opened; this process needs the right to write to it";
            }
        }
        return right(file.toString());
    }

    private static String right(String file) {
        return "the file "
                + file
                + " cannot be opened; this process needs the right to write to it and to its"
                + " folder";
    }

    private static int length(String name) {
        return (name + LONGEST_END).getBytes(StandardCharsets.UTF_8).length;
    }

    /** What the system says when more files are opened, or null if it opens some. */
    private static String shortage(Path folder) {
        List<DirectoryStream<Path>> open = new ArrayList<>();
        try {
            for (int i = 0; i < FOLDERS; i++) {
                open.add(Files.newDirectoryStream(folder));
            }
            return null;
        } catch (AccessDeniedException e) {
            return null;
        } catch (IOException e) {
            return Files.isDirectory(folder) ? e.getMessage() : null;
        } finally {
            open.forEach(Unopened::close);
        }
    }

    private static void close(DirectoryStream<Path> stream) {
        try {
            stream.close();
        } catch (IOException e) {
            // It was only opened to see whether it can be.
        }
    }
}
