// SPDX-License-Identifier: Apache-2.0
package dev.slipring.postgresql;

import static org.assertj.core.api.Assertions.assertThat;

import dev.slipring.Claim;
import dev.slipring.Message;
import dev.slipring.Ring;
import dev.slipring.engine.ClaimRequest;
import dev.slipring.engine.Claimed;
import dev.slipring.engine.Opening;
import dev.slipring.engine.Store;
import dev.slipring.graph.RingSpec;
import dev.slipring.graph.StageSpec;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.InstantSource;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;

/** Who works on a lane of a stage has its lock, and waits for whoever has it. */
class LaneLockTest {

    private static final String LOCKS =
            "(slipring.strand_lock((SELECT id FROM slipring.ring), 'main', l))";
    private static final String WAITED_FOR =
            "SELECT coalesce((SELECT l FROM generate_series(0, 1) l JOIN pg_locks k ON "
                    + LOCKS
                    + " = (k.classid::bigint << 32 | k.objid::bigint) WHERE NOT k.granted"
                    + " AND k.locktype = 'advisory' LIMIT 1), -1)";

    @RegisterExtension private final NewDatabase database = new NewDatabase();

    private void other(String function, int from, int to) throws SQLException {
        try (Statement statement = database.other().createStatement()) {
            statement.execute(
                    "SELECT "
                            + function
                            + LOCKS
                            + " FROM generate_series("
                            + from
                            + ", "
                            + to
                            + ") l");
        }
    }

    /** Begins something; returns when it waits for a lane or is over, and which lane. */
    private <T> int begin(CompletableFuture<T> call) throws SQLException {
        long lane;
        do {
            lane = database.number(WAITED_FOR);
        } while (lane < 0 && !call.isDone());
        return (int) lane;
    }

    private void waitsForItsLane(Supplier<?> word) throws SQLException {
        other("pg_advisory_lock", 0, 1);
        CompletableFuture<?> said = CompletableFuture.supplyAsync(word);
        assertThat(begin(said)).as("the lane that the word waits for").isZero();
        other("pg_advisory_unlock", 0, 1);
        said.join();
    }

    @Test
    void aWordWithTheNextClaimWaitsForItsLane() throws SQLException {
        Ring ring = database.slipring().create(RingSpec.named("r").lanes(1));
        ring.push("a");
        ring.push("b");
        Claim claim = ring.stage().claim(1, Duration.ZERO);
        waitsForItsLane(() -> claim.doneAndNext(1, Duration.ofSeconds(20)));
    }

    @Test
    void aWordAloneWaitsForItsLane() throws SQLException {
        Ring ring = database.slipring().create(RingSpec.named("r").lanes(1));
        ring.push("a");
        Claim claim = ring.stage().claim(1, Duration.ZERO);
        waitsForItsLane(
                () -> {
                    claim.done();
                    return claim;
                });
    }

    @Test
    void aClaimSaysThatOthersHaveALaneStillAfterItWaitedForOne() throws SQLException {
        Ring ring =
                database.slipring()
                        .create(
                                RingSpec.named("r")
                                        .lanes(2)
                                        .graph(StageSpec.named("main").ordered()));
        for (int key = 0; key < 16; key++) {
            ring.push(Message.of("" + key).key("k" + key));
        }
        // Both lanes have more, which comes after what is in hand.
        assertThat(ring.stage().claim(1, Duration.ZERO).deliveries()).hasSize(1);
        assertThat(ring.stage().claim(1, Duration.ZERO).deliveries()).hasSize(1);
        other("pg_advisory_lock", 0, 1);
        try (Store store =
                new PostgresEngine()
                        .open(new Opening(database.url(), null, InstantSource.system(), false))) {
            CompletableFuture<Claimed> claim =
                    CompletableFuture.supplyAsync(
                            () -> store.claim("r", new ClaimRequest("main", 1, "w")));
            int lane = begin(claim);
            other("pg_advisory_unlock", lane, lane);
            assertThat(claim.join().isEmpty()).isTrue();
            assertThat(claim.join().leftOut()).isTrue();
        }
    }
}
