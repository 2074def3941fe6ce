// SPDX-License-Identifier: Apache-2.0
package dev.slipring.sqlite;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;

/** A file in a folder to which others write all the time. */
class StirTest {

    private static final int WRITES = 2_000;

    @TempDir private Path folder;

    @Test
    @Timeout(60)
    void whatOthersWriteIsNotLookedAt() throws Exception {
        assumeTrue(System.getProperty("os.name").equals("Linux"), "needs: the system's word");
        Path ours = Files.createFile(folder.resolve("x.db"));
        AtomicBoolean stirred = new AtomicBoolean();
        AtomicInteger looks = new AtomicInteger();
        Thread others =
                new Thread(
                        () -> {
                            for (int i = 0; i < WRITES; i++) {
                                write(folder.resolve("app.log"));
                                Thread.yield();
                            }
                            stirred.set(true);
                            write(ours);
                        });
        long start = System.nanoTime();
        new Stir(ours)
                .sleep(
                        () -> {
                            if (looks.incrementAndGet() == 1) {
                                others.start();
                            }
                            return stirred.get();
                        });
        others.join();
        // The thread also looks now and then by itself; with a slow disk, more often during the
        // test.
        int anyway = (int) Duration.ofNanos(System.nanoTime() - start).toMillis() / 250;
        assertThat(looks).hasValueLessThan(20 + anyway);
    }

    private static void write(Path file) {
        try {
            Files.write(file, new byte[1]);
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }
}
