// SPDX-License-Identifier: Apache-2.0
package dev.slipring.postgresql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.slipring.Claim;
import dev.slipring.Ring;
import dev.slipring.Stage;
import dev.slipring.graph.FanOut;
import dev.slipring.graph.NoSuchStage;
import dev.slipring.graph.StageSpec;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;

/** A claim that waits for a lane while its stage is removed or paused. */
class RemovedStageTest {

    @RegisterExtension private final NewDatabase database = new NewDatabase();

    private Stage stage;

    @BeforeEach
    void push() {
        Ring ring =
                database.ring(
                        1, FanOut.to(StageSpec.named("a")).and(StageSpec.named("b").ordered()));
        ring.push("x");
        stage = ring.stage("b");
    }

    /** Begins a claim while a change of its stage has all lanes. */
    private CompletableFuture<Claim> claimDuring(Runnable change) throws SQLException {
        CompletableFuture<Void> changed;
        CompletableFuture<Claim> claim;
        try (Statement other = database.other().createStatement()) {
            other.execute("BEGIN");
            // The last row that the change locks: it has all lanes by then.
            other.execute("SELECT FROM slipring.ring FOR UPDATE");
            changed = CompletableFuture.runAsync(change);
            database.await(
                    "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database()"
                            + " AND wait_event = 'transactionid'",
                    1,
                    changed);
            claim = CompletableFuture.supplyAsync(() -> stage.claim(1, Duration.ofSeconds(5)));
            database.awaitWaiting(1, "locktype = 'advisory'", claim);
            other.execute("COMMIT");
        }
        changed.join();
        return claim;
    }

    @Test
    void isToldThatItIsGone() throws SQLException {
        CompletableFuture<Claim> claim = claimDuring(stage::remove);
        assertThatThrownBy(claim::join)
                .hasCauseInstanceOf(NoSuchStage.class)
                .hasMessageContaining("no stage 'b'; the stages are a");
    }

    @Test
    void takesNothingWhereItIsPaused() throws SQLException {
        assertThat(claimDuring(stage::pause).join().deliveries()).isEmpty();
    }

    @Test
    void takesNothingWhereItIsPausedBeforeItHasALane() throws SQLException {
        CompletableFuture<Claim> claim;
        try (Statement other = database.other().createStatement()) {
            other.execute("BEGIN");
            // A claim reads it behind its stage, and before it takes a lane.
            other.execute(
                    "DO $$ BEGIN EXECUTE (SELECT format('ALTER SEQUENCE %s CACHE 1', turn)"
                            + " FROM slipring.ring); END $$");
            claim = CompletableFuture.supplyAsync(() -> stage.claim(1, Duration.ZERO));
            database.awaitWaiting(1, "locktype = 'relation'", claim);
            stage.pause();
            other.execute("ROLLBACK");
        }
        assertThat(claim.join().deliveries()).isEmpty();
    }
}
