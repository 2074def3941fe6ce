// SPDX-License-Identifier: Apache-2.0
package dev.slipring.torture.control;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;

/** A file that takes all that is free of a disk. */
final class Filler {

    private static final int LARGEST = 1 << 16;

    private final Path file;
    private final Steward steward;

    Filler(Path disk, Steward steward) {
        file = disk.resolve("filler");
        this.steward = steward;
    }

    /** Takes what is free, to the last byte. */
    void fill() {
        try (OutputStream out = Files.newOutputStream(file)) {
            byte[] block = new byte[LARGEST];
            for (int size = LARGEST; size > 0; size /= 2) {
                writeAll(out, block, size);
            }
        } catch (IOException e) {
            steward.trouble(e);
        }
    }

    /** Writes blocks of a size until no more of them fit. */
    private static void writeAll(OutputStream out, byte[] block, int size) {
        try {
            while (true) {
                out.write(block, 0, size);
            }
        } catch (IOException full) {
            return;
        }
    }

    /** Gives it back. */
    void free() {
        try {
            Files.deleteIfExists(file);
        } catch (IOException e) {
            steward.trouble(e);
        }
    }
}
