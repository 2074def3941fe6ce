// SPDX-License-Identifier: Apache-2.0
package dev.slipring.torture.child;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;

/** The file beside a process's journal that says how many bytes are alive in its heap. */
public final class AliveFile {

    private AliveFile() {}

    /** The file that stands beside a journal. */
    private static Path beside(Path journal) {
        return journal.resolveSibling(journal.getFileName() + ".alive");
    }

    /** Collects the garbage of this process, and writes down what is left. */
    static void write(Path journal) throws IOException {
        System.gc();
        long alive = Runtime.getRuntime().totalMemory() - Runtime.getRuntime().freeMemory();
        Path file = beside(journal);
        Path next = file.resolveSibling(file.getFileName() + ".next");
        Files.writeString(next, "" + alive);
        Files.move(next, file, StandardCopyOption.ATOMIC_MOVE);
    }

    /** What the process with this journal wrote last; 0 if it has written nothing yet. */
    public static long read(Path journal) throws IOException {
        Path file = beside(journal);
        return Files.exists(file) ? Long.parseLong(Files.readString(file)) : 0;
    }
}
