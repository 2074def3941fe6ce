// SPDX-License-Identifier: Apache-2.0
package dev.slipring.postgresql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.slipring.Options;
import dev.slipring.Slipring;
import dev.slipring.SlipringException;
import dev.slipring.Stage;
import dev.slipring.graph.RingSpec;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

import java.sql.Statement;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/** Who has the lock of those who listen, as every role can, keeps nobody from ending. */
class ListeningTest {

    @RegisterExtension private final NewDatabase database = new NewDatabase();

    @Test
    void aLockThatSomebodyHasKeepsNobodyFromClosing() throws Exception {
        Slipring slipring = Slipring.open(database.url());
        slipring.create(RingSpec.named("r"));
        try (Statement other = database.other().createStatement()) {
            other.execute("SELECT pg_advisory_lock(hashtextextended('slipring listens', 7157))");
            Stage stage = slipring.ring("r").stage();
            CompletableFuture<?> waits =
                    CompletableFuture.supplyAsync(() -> stage.claim(1, Options.FOREVER));
            String listening =
                    "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database()"
                            + " AND query LIKE '%advisory_lock_shared(%'"
                            + " AND pid <> pg_backend_pid()";
            assertThat(database.await(listening, 1, waits)).isPositive();
            CompletableFuture.runAsync(slipring::close).get(20, TimeUnit.SECONDS);
            assertThatThrownBy(() -> waits.get(20, TimeUnit.SECONDS))
                    .hasCauseInstanceOf(SlipringException.class);
        }
    }
}
