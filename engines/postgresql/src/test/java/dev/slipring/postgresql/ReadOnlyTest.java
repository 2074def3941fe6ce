// SPDX-License-Identifier: Apache-2.0
package dev.slipring.postgresql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.slipring.Options;
import dev.slipring.Ring;
import dev.slipring.Slipring;
import dev.slipring.StoreFailed;
import dev.slipring.graph.RingSpec;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.Statement;
import java.time.Duration;

/** Servers that take no writes: everything is refused in words, nothing is thought stored. */
class ReadOnlyTest {

    @TempDir Path folder;

    private static void refusesToWrite(Ring ring) {
        assertThatThrownBy(() -> ring.push("refused"))
                .isInstanceOf(StoreFailed.class)
                .hasMessageContaining("read-only");
        assertThatThrownBy(() -> ring.stage().claim(1, Duration.ZERO))
                .isInstanceOf(StoreFailed.class)
                .hasMessageContaining("read-only");
        assertThat(ring.info().pushed()).isEqualTo(1);
        assertThat(ring.info().stages().get(0).lag()).isEqualTo(1);
    }

    @Test
    void aServerInRecovery() throws Exception {
        OwnServer server = new OwnServer(folder).start();
        try (Slipring slipring = Slipring.open(server.url())) {
            slipring.create(RingSpec.named("r")).push("x");
        }
        server.shutDown();
        Files.createFile(server.data().resolve("standby.signal"));
        server.start();
        try (Slipring slipring = Slipring.open(server.url())) {
            refusesToWrite(slipring.ring("r"));
            assertThatThrownBy(() -> slipring.create(RingSpec.named("other")))
                    .isInstanceOf(StoreFailed.class)
                    .hasMessageContaining("read-only");
            // Now it is the primary.
            try (Connection connection = Server.connect(server.url());
                    Statement statement = connection.createStatement()) {
                statement.execute("SELECT pg_promote()");
            }
            slipring.ring("r").push("y");
            assertThat(slipring.ring("r").stage().claim(9, Duration.ofSeconds(5)).isEmpty())
                    .isFalse();
            assertThat(slipring.ring("r").check()).isEmpty();
        } finally {
            server.close();
        }
    }

    @Test
    void aDatabaseThatIsReadOnlyByDefault() throws Exception {
        String url = Server.newDatabase();
        try (Slipring slipring = Slipring.open(url)) {
            slipring.create(RingSpec.named("r")).push("x");
        }
        setDefault(url, "on");
        try (Slipring slipring = Slipring.open(Options.url(url))) {
            refusesToWrite(slipring.ring("r"));
        } finally {
            Server.drop(url);
        }
    }

    @Test
    void noSchemaIsMadeInOne() throws Exception {
        String url = Server.newDatabase();
        setDefault(url, "on");
        assertThatThrownBy(() -> Slipring.open(url))
                .isInstanceOf(StoreFailed.class)
                .hasMessageContaining("read-only");
        Server.drop(url);
    }

    private static void setDefault(String url, String value) throws Exception {
        try (Connection connection = Server.connect(url);
                Statement statement = connection.createStatement()) {
            statement.execute("SET default_transaction_read_only = off");
            statement.execute(
                    "ALTER DATABASE "
                            + url.substring(url.lastIndexOf('/') + 1)
                            + " SET default_transaction_read_only = "
                            + value);
        }
    }
}
