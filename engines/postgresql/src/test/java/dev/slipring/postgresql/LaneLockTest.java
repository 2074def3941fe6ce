// SPDX-License-Identifier: Apache-2.0
package dev.slipring.postgresql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.slipring.Claim;
import dev.slipring.Message;
import dev.slipring.Ring;
import dev.slipring.StoreFailed;
import dev.slipring.Survey;
import dev.slipring.engine.ClaimRequest;
import dev.slipring.engine.Claimed;
import dev.slipring.engine.Opening;
import dev.slipring.engine.Store;
import dev.slipring.graph.StageSpec;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/** A session that works on a lane has its lock, and waits for a session that has it. */
class LaneLockTest {

    private static final String OF_THE_STAGE =
            "(slipring.strand_lock((SELECT id FROM slipring.ring), 'main', l))";
    private static final String OF_PUSHES =
            "(slipring.lane_lock((SELECT id FROM slipring.ring), l))";

    @RegisterExtension private final NewDatabase database = new NewDatabase();

    private String locks = OF_THE_STAGE;

    private void other(String function, int from, int to) throws SQLException {
        try (Statement statement = database.other().createStatement()) {
            statement.execute(
                    "SELECT %s%s FROM generate_series(%d, %d) l"
                            .formatted(function, locks, from, to));
        }
    }

    /** Waits until a call waits for a lane or is over; returns which lane, or -1. */
    private <T> int begin(CompletableFuture<T> call) throws SQLException {
        String waitedFor =
                "SELECT coalesce((SELECT l FROM generate_series(0, 1) l JOIN pg_locks ON "
                        + locks
                        + " = (classid::bigint << 32 | objid::bigint)"
                        + " WHERE locktype = 'advisory' AND "
                        + NewDatabase.WAITS
                        + " LIMIT 1), -1)";
        return (int) database.await(waitedFor, 0, call);
    }

    private void waitsForItsLane(Runnable call) throws SQLException {
        other("pg_advisory_lock", 0, 1);
        CompletableFuture<Void> begun = CompletableFuture.runAsync(call);
        assertThat(begin(begun)).as("the lane that is waited for").isZero();
        other("pg_advisory_unlock", 0, 1);
        begun.join();
    }

    @Test
    void aWordWithTheNextClaimWaitsForItsLane() throws SQLException {
        Ring ring = database.ring(1);
        ring.push("a");
        ring.push("b");
        Claim claim = ring.stage().claim(1, Duration.ZERO);
        waitsForItsLane(() -> claim.doneAndNext(1, Duration.ofSeconds(20)));
    }

    @Test
    void aWordAloneWaitsForItsLane() throws SQLException {
        Ring ring = database.ring(1);
        ring.push("a");
        Claim claim = ring.stage().claim(1, Duration.ZERO);
        waitsForItsLane(claim::done);
    }

    @Test
    void aPushWaitsForItsLane() throws SQLException {
        Ring ring = database.ring(1);
        locks = OF_PUSHES;
        waitsForItsLane(() -> ring.push(Message.of("a").key("k")));
    }

    @Test
    void aPushIntoAnyLaneWaitsWhereNoneIsFree() throws SQLException {
        Ring ring = database.ring(1);
        locks = OF_PUSHES;
        waitsForItsLane(() -> ring.push("a"));
    }

    /** A look at the ring keeps no worker waiting, and waits for none. */
    @Test
    void aLookAtTheRingWaitsForNobody() throws Exception {
        Ring ring = database.ring(1);
        ring.push("a");
        ring.push("b");
        Claim claim = ring.stage().claim(1, Duration.ZERO);
        try (Connection caller = database.connect()) {
            caller.setAutoCommit(false);
            ring.join(caller).done(claim);
            caller.commit();
        }
        // There is a word to take in, and another session, which could do that, has the lane's
        // lock.
        other("pg_advisory_lock", 0, 0);
        CompletableFuture<Survey> look = CompletableFuture.supplyAsync(ring::info);
        assertThat(begin(look)).as("the lane that is waited for").isEqualTo(-1);
        assertThat(look.join().heldMessages()).isEqualTo(2);
        other("pg_advisory_unlock", 0, 0);
        assertThat(ring.info().heldMessages()).isEqualTo(1);
    }

    @Test
    void aClaimSaysThatOthersHaveALaneStillAfterItWaitedForOne() throws SQLException {
        Ring ring = database.ring(2, StageSpec.named("main").ordered());
        for (int key = 0; key < 16; key++) {
            ring.push(Message.of("" + key).key("k" + key));
        }
        // Both lanes have more messages, behind those in hand.
        assertThat(ring.stage().claim(1, Duration.ZERO).deliveries()).hasSize(1);
        assertThat(ring.stage().claim(1, Duration.ZERO).deliveries()).hasSize(1);
        other("pg_advisory_lock", 0, 1);
        try (Store store =
                new PostgresEngine()
                        .open(
                                new Opening(
                                        database.url(),
                                        null,
                                        InstantSource.system(),
                                        false,
                                        false))) {
            CompletableFuture<Claimed> claim =
                    CompletableFuture.supplyAsync(
                            () -> store.claim("r", new ClaimRequest("main", 1, "w")));
            int lane = begin(claim);
            other("pg_advisory_unlock", lane, lane);
            assertThat(claim.join().isEmpty()).isTrue();
            assertThat(claim.join().leftOut()).isTrue();
        }
    }

    /** Nobody can wait for a lane, as a function of the schema is gone. */
    @Test
    void aWordIsTakenThoughTheLookBehindItFails() throws SQLException {
        Ring ring = database.ring(2);
        ring.pushAll(List.of(Message.of("a").key("a"), Message.of("b").key("b")));
        Claim claim = ring.stage().claim(1, Duration.ZERO);
        int elsewhere = 1 - claim.lane();
        other("pg_advisory_lock", elsewhere, elsewhere);
        database.run("DROP FUNCTION slipring.await_strand");
        Claim next = claim.doneAndNext(1, Duration.ZERO);
        assertThat(next.isEmpty()).isTrue();
        assertThat(next.reason()).contains("could not be looked at", "await_strand");
        assertThat(claim.left()).isEmpty();
        assertThatThrownBy(() -> ring.stage().claim(1, Duration.ZERO))
                .isInstanceOf(StoreFailed.class);
        other("pg_advisory_unlock", elsewhere, elsewhere);
        assertThat(ring.info().stage("main").done()).isOne();
    }
}
