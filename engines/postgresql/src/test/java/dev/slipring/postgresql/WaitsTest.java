// SPDX-License-Identifier: Apache-2.0
package dev.slipring.postgresql;

import static org.assertj.core.api.Assertions.assertThat;

import dev.slipring.engine.Engines;
import dev.slipring.engine.Opening;
import dev.slipring.engine.Waits;
import dev.slipring.engine.Waits.Wait;

import org.junit.jupiter.api.Test;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/** What PostgreSQL waits for, by samples of its processes. */
class WaitsTest {

    @Test
    void aSessionThatWaitsForALockIsSeen() throws Exception {
        String url = Server.newDatabase();
        try (Connection holds = Server.connect(url);
                Connection wants = Server.connect(url);
                Waits waits = Engines.byUrl(url).waits(Opening.of(url))) {
            run(holds, "SELECT pg_advisory_lock(1)");
            CompletableFuture<Void> waiting =
                    CompletableFuture.runAsync(() -> run(wants, "SELECT pg_advisory_lock(1)"));
            List<Wait> found;
            do {
                found = waits.over(Duration.ofMillis(300));
            } while (found.stream().noneMatch(wait -> wait.name().equals("advisory")));
            // Long enough that even a slow machine takes more than one sample.
            assertThat(waits.over(Duration.ofSeconds(5)))
                    .anySatisfy(
                            wait -> {
                                assertThat(wait.kind()).isEqualTo("Lock");
                                assertThat(wait.name()).isEqualTo("advisory");
                                assertThat(wait.count()).isGreaterThan(1);
                                assertThat(wait.time()).isGreaterThan(Duration.ofMillis(250));
                            });
            run(holds, "SELECT pg_advisory_unlock(1)");
            waiting.join();
        } finally {
            Server.drop(url);
        }
    }

    private static void run(Connection connection, String sql) {
        try (Statement statement = connection.createStatement()) {
            statement.execute(sql);
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }
}
