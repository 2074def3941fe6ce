// SPDX-License-Identifier: Apache-2.0
package dev.slipring.sqlite;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.slipring.Claim;
import dev.slipring.Ring;
import dev.slipring.Slipring;
import dev.slipring.StoreFailed;
import dev.slipring.graph.RingSpec;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.nio.file.Path;
import java.sql.Connection;
import java.sql.Statement;
import java.time.Duration;

/** A file in which very many rings were made and dropped, or very many messages were pushed. */
class RingIdsTest {

    private static final int MOST = (1 << 23) - 1;

    @TempDir private Path folder;

    @Test
    void theLastRingWorksAndTheNextIsRefused() throws Exception {
        Path file = folder.resolve("x.db");
        try (Slipring slipring = Slipring.open("sqlite:" + file)) {
            slipring.create(RingSpec.named("first"));
            try (Connection connection = Given.jdbc(file)) {
                connection
                        .createStatement()
                        .execute("UPDATE sqlite_sequence SET seq = " + (MOST - 1));
            }
            Ring last = slipring.create(RingSpec.named("last"));
            last.push("x");
            Claim claim = last.stage().claim(1, Duration.ZERO);
            assertThat(claim.deliveries()).hasSize(1);
            assertThat(last.info().heldMessages()).isOne();
            assertThat(last.info().stages().get(0).inHand()).hasSize(1);
            claim.done();
            assertThat(last.check()).isEmpty();
            assertThatThrownBy(() -> slipring.create(RingSpec.named("further")))
                    .isInstanceOf(StoreFailed.class)
                    .hasMessageContaining("the ids of rings in this store");
            assertThat(slipring.rings()).containsExactly("first", "last");
        }
    }

    @Test
    void theLastMessageOfALaneIsHandedOutAndTheNextIsRefused() throws Exception {
        Path file = folder.resolve("x.db");
        try (Slipring slipring = Slipring.open("sqlite:" + file)) {
            slipring.create(RingSpec.named("r").lanes(1));
        }
        long last = (1L << 48) - 2;
        try (Connection connection = Given.jdbc(file);
                Statement sql = connection.createStatement()) {
            sql.execute("UPDATE slipring_sequence SET head = " + last + ", gate = " + last);
            sql.execute(
                    "UPDATE slipring_sequence SET start = head, claimed = head, done = head,"
                            + " high = head WHERE stage <> ''");
        }
        try (Slipring slipring = Slipring.open("sqlite:" + file)) {
            Ring ring = slipring.ring("r");
            ring.push("x");
            assertThatThrownBy(() -> ring.push("y"))
                    .isInstanceOf(StoreFailed.class)
                    .hasMessageContaining("has had the most messages");
            try (Claim claim = ring.stage().claim(9, Duration.ZERO)) {
                assertThat(claim.deliveries()).hasSize(1);
                claim.done();
            }
            assertThat(ring.check()).isEmpty();
        }
    }
}
