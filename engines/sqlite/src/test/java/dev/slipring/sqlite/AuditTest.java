// SPDX-License-Identifier: Apache-2.0
package dev.slipring.sqlite;

import static org.assertj.core.api.Assertions.assertThat;

import dev.slipring.engine.Change;
import dev.slipring.engine.ClaimRequest;
import dev.slipring.engine.Store;
import dev.slipring.graph.FanOut;
import dev.slipring.graph.RingSpec;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.nio.file.Path;
import java.sql.Connection;
import java.sql.Statement;

/** A check of a ring with rows that somebody has deleted says so, and goes on. */
class AuditTest {

    @TempDir private Path folder;

    @Test
    void aStrandThatIsMissingIsNamed() throws Exception {
        Path file = folder.resolve("x.db");
        try (Store store = Given.store(file);
                Connection other = Given.jdbc(file);
                Statement sql = other.createStatement()) {
            RingSpec spec = RingSpec.named("r").graph(FanOut.to("first").then("second"));
            store.change("r", new Change.Create(spec));
            store.push("r", Given.slot(3, 10));
            assertThat(store.claim("r", new ClaimRequest("first", 1, "w")).isEmpty()).isFalse();
            int gone =
                    sql.executeUpdate(
                            "DELETE FROM slipring_sequence WHERE stage = 'first' AND epoch = 0");
            assertThat(gone).isEqualTo(1);
            assertThat(store.survey("r", true).broken())
                    .contains("stage 'first', lane 0: there is no strand");
        }
    }
}
