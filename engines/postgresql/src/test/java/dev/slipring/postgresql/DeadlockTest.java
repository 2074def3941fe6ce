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
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/** A transaction of Slipring's that is rolled back because of a deadlock is tried again. */
@Timeout(60)
class DeadlockTest {

    @RegisterExtension private final NewDatabase database = new NewDatabase();

    @Test
    void aPushThatWasRolledBackForAnotherIsTriedAgain() throws Exception {
        // A session looks for a deadlock only after it has waited this long, and is then the one
        // that is rolled back.
        database.run("ALTER DATABASE " + database.name() + " SET deadlock_timeout = '2s'");
        try (Slipring slipring = Slipring.open(database.url());
                Connection other = database.connect();
                Statement sql = other.createStatement()) {
            Ring ring = slipring.create(RingSpec.named("r").lanes(1));
            sql.execute("SET deadlock_timeout = '1h'");
            other.setAutoCommit(false);
            // Keeps the push, which has the lane by then, from writing, and asks for the lane.
            sql.execute(database.of("LOCK TABLE slipring.slot_{ring}_0 IN SHARE MODE"));
            CompletableFuture<Void> push = CompletableFuture.runAsync(() -> ring.push("x"));
            database.awaitWaiting(1, "locktype = 'relation'", push);
            sql.execute(database.of("SELECT pg_advisory_xact_lock(slipring.lane_lock({ring}, 0))"));
            other.rollback();
            push.get(30, TimeUnit.SECONDS);
            assertThat(ring.info().pushed()).isEqualTo(1);
            assertThat(ring.check()).isEmpty();
        }
    }
}
