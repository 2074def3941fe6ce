// SPDX-License-Identifier: Apache-2.0
package dev.slipring.torture.arena;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;

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

    /** Nobody else would ever give it back. */
    @Test
    void noMemoryOfAPostgresIsKept() throws Exception {
        PostgresKind kind = new PostgresKind();
        OwnServer server = OwnServer.in(kind, kind.scheme() + ":" + folder.resolve("memory"));
        List<Path> shared;
        try {
            server.create();
            shared = shared(server.pid());
        } finally {
            server.close();
        }
        assertThat(shared).isNotEmpty().allSatisfy(file -> assertThat(file).doesNotExist());
    }

    /** The files in memory that a process shares with others. */
    private static List<Path> shared(long pid) throws IOException {
        try (Stream<String> maps = Files.lines(Path.of("/proc/" + pid + "/maps"))) {
            return maps.filter(map -> map.contains(" /dev/shm/"))
                    .map(map -> Path.of(map.substring(map.indexOf('/'))))
                    .distinct()
                    .toList();
        }
    }
}
