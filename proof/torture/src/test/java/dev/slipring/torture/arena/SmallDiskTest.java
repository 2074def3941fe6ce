// SPDX-License-Identifier: Apache-2.0
package dev.slipring.torture.arena;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;

/** A small disk goes away, even one on which a file is still open. */
class SmallDiskTest {

    @Test
    void aDiskInUseGoesAwayToo(@TempDir Path folder) throws Exception {
        SmallDisk disk = SmallDisk.mount(folder.resolve("disk"), 1);
        assumeTrue(disk.isThere(), disk.reason());
        try (OutputStream out = Files.newOutputStream(disk.folder().resolve("file"))) {
            out.write(1);
            disk.close();
            assertThat(disk.folder()).doesNotExist();
            assertThat(Files.readString(Path.of("/proc/mounts")))
                    .doesNotContain(disk.folder().toString());
        } finally {
            new ProcessBuilder("umount", "--lazy", "--quiet", disk.folder().toString())
                    .start()
                    .waitFor();
        }
    }
}
