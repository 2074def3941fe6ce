// SPDX-License-Identifier: Apache-2.0
package dev.slipring.sqlite;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.slipring.StoreFailed;
import dev.slipring.engine.Store;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;

/**
 * Disks that are full or read-only. The test uses a small one in memory, and needs the right to
 * mount it.
 */
class DiskTest {

    @TempDir Path folder;

    private Path disk;

    @BeforeEach
    void mount() throws Exception {
        disk = Files.createDirectory(folder.resolve("disk"));
        boolean mounted = run("mount", "-t", "tmpfs", "-o", "size=2m", "tmpfs", disk.toString());
        assumeTrue(mounted, "needs the right to mount a small disk (tmpfs); run as root on Linux");
    }

    @AfterEach
    void unmount() throws Exception {
        run("umount", disk.toString());
    }

    private static boolean run(String... command) throws Exception {
        try {
            Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
            return process.waitFor(10, TimeUnit.SECONDS) && process.exitValue() == 0;
        } catch (IOException e) {
            return false;
        }
    }

    @Test
    void aFullDiskStoresNothingAndLosesNothing() throws Exception {
        Path file = disk.resolve("x.db");
        try (Store store = Given.ring(file)) {
            int pushed = 0;
            StoreFailed full = null;
            while (full == null) {
                try {
                    store.push("r", Given.slot(10, 3000));
                    pushed += 10;
                } catch (StoreFailed e) {
                    full = e;
                }
                assertThat(pushed).isLessThan(2000);
            }
            assertThat(full).hasMessageContaining("disk is full").hasMessageContaining("free some");
            assertThat(Given.pushed(store)).isEqualTo(pushed).isPositive();
            assertThat(store.survey("r", true).broken()).isEmpty();
            run("mount", "-o", "remount,size=8m", disk.toString());
            store.push("r", Given.slot(10, 3000));
            assertThat(Given.pushed(store)).isEqualTo(pushed + 10);
        }
    }

    /**
     * If there is no room for the index of the log, SQLite does not say that the disk is full, but
     * Slipring does.
     */
    @Test
    void aDiskWithoutRoomForTheIndexIsToldAsOne() throws Exception {
        Path fill = disk.resolve("fill");
        Files.write(fill, new byte[(2 << 20) - (40 << 10)]);
        Path file = disk.resolve("x.db");
        assertThatThrownBy(() -> Given.ring(file).close())
                .isInstanceOf(StoreFailed.class)
                .hasMessageContaining("free some space");
        Files.delete(fill);
        Given.ring(file).close();
    }

    @Test
    void aReadOnlyDiskIsRefused() throws Exception {
        Path file = disk.resolve("x.db");
        Given.ring(file).close();
        assertThat(run("mount", "-o", "remount,ro", disk.toString())).isTrue();
        assertThatThrownBy(() -> Given.store(file))
                .isInstanceOf(StoreFailed.class)
                .hasMessageContaining("read-only");
        assertThatThrownBy(() -> Given.store(disk.resolve("new.db")))
                .isInstanceOf(StoreFailed.class)
                .hasMessageContaining("read-only");
    }
}
