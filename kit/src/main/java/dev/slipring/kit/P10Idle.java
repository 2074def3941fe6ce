// SPDX-License-Identifier: Apache-2.0
package dev.slipring.kit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.slipring.Claim;
import dev.slipring.Ring;
import dev.slipring.Stage;
import dev.slipring.Workers;
import dev.slipring.engine.Capability;
import dev.slipring.graph.Graph;
import dev.slipring.graph.RingSpec;

import org.junit.jupiter.api.Test;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;

/** Promise 10: nothing to do writes nothing; a claim that waits is woken. */
public interface P10Idle extends Promise {

    /** Claims that find nothing write nothing. */
    @Test
    default void idleClaimsWriteNothing() throws SQLException {
        needs(Capability.DURABLE);
        Ring ring = ring("idle");
        push(ring, 1);
        takeAll(ring.stage());
        try (Connection connection = bed().connect();
                Statement sql = connection.createStatement()) {
            long before = writes(sql);
            push(ring, 1);
            takeAll(ring.stage());
            assertThat(writes(sql)).as("what is written is seen").isNotEqualTo(before);
            // Several rounds: a server writes by itself now and then, and may count an earlier push
            // late.
            boolean writes = true;
            for (int round = 0; round < 5 && writes; round++) {
                writes = writesByClaims(ring, sql);
            }
            assertThat(writes).as("claims that find nothing write").isFalse();
        }
    }

    private boolean writesByClaims(Ring ring, Statement sql) throws SQLException {
        long before = writes(sql);
        for (int i = 0; i < 300; i++) {
            assertThat(claim(ring.stage(), 10).isEmpty()).isTrue();
        }
        return writes(sql) != before;
    }

    private long writes(Statement sql) throws SQLException {
        long sum = 0;
        try (ResultSet rows = sql.executeQuery(bed().writes())) {
            while (rows.next()) {
                sum += rows.getLong(rows.getMetaData().getColumnCount());
            }
        }
        return sum;
    }

    /** The same ring, whose claims are counted. */
    private Ring counting(Ring ring, AtomicInteger claims) {
        InFront.Way counted =
                (method, arguments, through) -> {
                    claims.addAndGet(method.equals("claim") ? 1 : 0);
                    return through.call();
                };
        return behind(counted).ring(ring.name());
    }

    /** A claim that waits does not ask the store all the time. */
    @Test
    default void whoWaitsAsksSeldom() {
        AtomicInteger claims = new AtomicInteger();
        Ring ring = counting(ring("seldom", stage("a").then(stage("b"))), claims);
        for (String stage : List.of("a", "b")) {
            Claim claim = ring.stage(stage).claim(1, Duration.ofSeconds(1));
            assertThat(claim.isEmpty()).isTrue();
        }
        assertThat(claims.get()).as("claims in two seconds").isBetween(2, 60);
    }

    /**
     * Nor does it while a message that is due has to wait for what its ordered stage has in hand.
     */
    @Test
    default void whoWaitsForAHandAsksSeldom() {
        Graph graph = stage("a").then(stage("b").ordered());
        Ring ring = slipring().create(RingSpec.named("hand").lanes(1).graph(graph));
        push(ring, 3);
        Claim first = ring.stage("a").claim(3, Duration.ZERO);
        first.fail(first.deliveries().get(0), "later", Duration.ZERO);
        first.done();
        Claim inHand = ring.stage("b").claim(3, Duration.ZERO);
        assertThat(texts(inHand)).containsExactly("1", "2");
        ring.stage("a").claim(1, Duration.ZERO).done();
        AtomicInteger claims = new AtomicInteger();
        Stage waiting = counting(ring, claims).stage("b");
        assertThat(waiting.claim(1, Duration.ofSeconds(1)).isEmpty()).isTrue();
        assertThat(claims.get()).as("claims in a second").isBetween(2, 60);
        inHand.done();
        assertThat(texts(waiting.claim(1, Duration.ZERO))).containsExactly("0");
    }

    /** A push wakes a claim that waits, however long the claim may wait. */
    @Test
    default void aPushWakesWhoWaits() {
        Ring ring = ring("wake");
        Duration forever = Duration.ofSeconds(Long.MAX_VALUE);
        CompletableFuture<Claim> waiting =
                CompletableFuture.supplyAsync(() -> ring.stage().claim(1, forever));
        Wait.sleep(Duration.ofMillis(20));
        push(ring, 1);
        Claim claim = waiting.join();
        assertThat(texts(claim)).containsExactly("0");
        claim.done();
    }

    /** A stage that is done with messages wakes the stage that follows it. */
    @Test
    default void aDoneWakesWhoFollows() {
        Ring ring = ring("next", stage("a").then(stage("b")));
        AtomicInteger seen = new AtomicInteger();
        try (Workers a = ring.stage("a").work(1, delivery -> {});
                Workers b = ring.stage("b").work(1, delivery -> seen.incrementAndGet())) {
            push(ring, 5);
            Wait.until("b has seen all", () -> seen.get() == 5);
        }
    }

    /** A lease that runs out wakes a claim that waits. */
    @Test
    default void theClockWakesWhoWaits() {
        Ring ring = ring("clock", briefStage("main"));
        push(ring, 1);
        claim(ring.stage(), 1);
        CompletableFuture<Claim> waiting =
                CompletableFuture.supplyAsync(() -> ring.stage().claim(1, Duration.ofSeconds(30)));
        Wait.sleep(Duration.ofMillis(20));
        leasesRunOut();
        assertThat(waiting.join().deliveries().get(0).attempt()).isEqualTo(2);
    }
}
