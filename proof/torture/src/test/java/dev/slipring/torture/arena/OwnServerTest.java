// SPDX-License-Identifier: Apache-2.0
package dev.slipring.torture.arena;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Objects;

class OwnServerTest {

    @TempDir Path folder;

    /** A MariaDB that starts takes all files in its temporary folder for its own from before. */
    @Test
    void otherServersKeepTheirTemporaryTables() throws Exception {
        Path shared = Path.of(Objects.requireNonNullElse(System.getenv("TMPDIR"), "/tmp"));
        Path table = Files.createTempFile(shared, "#sql-slipring-", ".MAD");
        try (Arena server = Arena.of("mariadb:" + folder.resolve("mariadb"))) {
            server.open();
            assertThat(table).exists();
        } finally {
            Files.deleteIfExists(table);
        }
    }
}
