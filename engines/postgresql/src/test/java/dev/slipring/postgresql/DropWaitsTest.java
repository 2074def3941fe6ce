// SPDX-License-Identifier: Apache-2.0
package dev.slipring.postgresql;

import static org.assertj.core.api.Assertions.assertThat;

import dev.slipring.Ring;
import dev.slipring.Slipring;
import dev.slipring.graph.RingSpec;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

import java.sql.Connection;
import java.sql.Statement;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/** A drop waits for open transactions that use the ring, and keeps nobody else waiting. */
class DropWaitsTest {

    @RegisterExtension private final NewDatabase database = new NewDatabase();

    @Test
    @Timeout(value = 50, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
    void othersGoOnMeanwhile() throws Exception {
        try (Slipring slipring = Slipring.open(database.url());
                Slipring other = Slipring.open(database.url());
                Connection reader = database.connect();
                Statement sql = reader.createStatement()) {
            Ring ring = slipring.create(RingSpec.named("r"));
            slipring.create(RingSpec.named("beside"));
            ring.push("x");
            reader.setAutoCommit(false);
            sql.execute("SELECT * FROM slipring.messages('r')");
            CompletableFuture<Void> drop = CompletableFuture.runAsync(() -> other.drop("r"));
            database.awaitWaiting(1, "locktype = 'relation'", drop);
            ring.push("y");
            assertThat(ring.stage().claim(1, Duration.ofSeconds(10)).isEmpty()).isFalse();
            assertThat(ring.info().pushed()).isEqualTo(2);
            slipring.ring("beside").stage().pause();
            assertThat(slipring.ring("beside").info().pushed()).isZero();
            assertThat(drop).isNotDone();
            reader.rollback();
            drop.get(40, TimeUnit.SECONDS);
            assertThat(slipring.rings()).containsExactly("beside");
        }
    }
}
