// SPDX-License-Identifier: Apache-2.0
package dev.slipring.postgresql;

import static dev.slipring.postgresql.NewDatabase.WAITS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.slipring.Claim;
import dev.slipring.Message;
import dev.slipring.Ring;
import dev.slipring.Slipring;
import dev.slipring.graph.RingSpec;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

import java.sql.Connection;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;

/** A change waits for open transactions that use the ring, and keeps no others waiting. */
class ChangeWaitsTest {

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
            database.awaitTrying(drop);
            for (int pushes = 0; pushes < 50; pushes++) {
                ring.push("y");
                assertThat(database.number("SELECT count(*) FROM pg_locks WHERE " + WAITS))
                        .as("who stands in a queue")
                        .isZero();
            }
            assertThat(ring.stage().claim(1, Duration.ofSeconds(10)).isEmpty()).isFalse();
            assertThat(ring.info().pushed()).isEqualTo(51);
            slipring.ring("beside").stage().pause();
            assertThat(slipring.ring("beside").info().pushed()).isZero();
            assertThat(drop).isNotDone();
            reader.rollback();
            drop.get(40, TimeUnit.SECONDS);
            assertThat(slipring.rings()).containsExactly("beside");
        }
    }

    /** While a claim's transaction stays open, all other lanes go on. */
    @Test
    @Timeout(value = 50, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
    void othersClaimWhileAStageIsToBePaused() throws Exception {
        try (Slipring slipring = Slipring.open(database.url());
                Slipring other = Slipring.open(database.url());
                Connection claimer = database.connect();
                Statement sql = claimer.createStatement()) {
            Ring ring = slipring.create(RingSpec.named("r").lanes(4));
            ring.pushAll(
                    IntStream.range(0, 80).mapToObj(i -> Message.of("x").key("key " + i)).toList());
            claimer.setAutoCommit(false);
            sql.execute("SELECT slipring.claim('r')");
            CompletableFuture<Void> pause =
                    CompletableFuture.runAsync(() -> other.ring("r").stage().pause());
            database.awaitTrying(pause);
            for (int claims = 0; claims < 40; claims++) {
                assertThat(ring.stage().claim(1, Duration.ZERO).isEmpty()).isFalse();
            }
            assertThatThrownBy(() -> database.run("SELECT slipring.dead_retry('r')"))
                    .hasMessageContaining("in use by a transaction that is open");
            slipring.create(RingSpec.named("beside"));
            assertThat(pause).isNotDone();
            claimer.rollback();
            pause.get(40, TimeUnit.SECONDS);
            assertThat(ring.stage().claim(80, Duration.ZERO).reason()).contains("is paused");
        }
    }

    /** While a transaction that creates a ring stays open, it keeps only the name of that ring. */
    @Test
    @Timeout(value = 50, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
    void othersChangeRingsWhileOneIsMade() throws Exception {
        try (Slipring slipring = Slipring.open(database.url());
                Connection maker = database.connect();
                Statement sql = maker.createStatement()) {
            Ring ring = slipring.create(RingSpec.named("r"));
            maker.setAutoCommit(false);
            sql.execute("SELECT slipring.create('made')");
            ring.stage().pause();
            slipring.create(RingSpec.named("beside"));
            slipring.drop("beside");
            CompletableFuture<Ring> same =
                    CompletableFuture.supplyAsync(
                            () -> slipring.createIfMissing(RingSpec.named("made")));
            database.awaitWaiting(1, "locktype = 'advisory'", same);
            maker.commit();
            assertThat(same.get(40, TimeUnit.SECONDS).info().pushed()).isZero();
        }
    }

    /**
     * A claim waits only a moment for one in an open transaction: that may keep more lanes, and may
     * be told to end.
     */
    @Test
    @Timeout(value = 50, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
    void aClaimWaitsForAnOpenOneForAMomentOnly() throws Exception {
        try (Slipring slipring = Slipring.open(database.url());
                Connection claimer = database.connect();
                Statement sql = claimer.createStatement()) {
            Ring ring = slipring.create(RingSpec.named("r").lanes(1));
            ring.pushAll(List.of(Message.of("a"), Message.of("b")));
            claimer.setAutoCommit(false);
            sql.execute("SELECT slipring.claim('r')");
            assertThat(ring.stage().claim(1, Duration.ZERO).isEmpty()).isTrue();
            claimer.rollback();
            Claim claim = ring.stage().claim(2, Duration.ofSeconds(20));
            assertThat(claim.deliveries()).hasSize(2);
        }
    }
}
