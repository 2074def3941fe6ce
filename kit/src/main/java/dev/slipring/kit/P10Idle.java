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
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/** Promise 10: nothing to do writes nothing; a claim that waits is woken. */
public interface P10Idle extends Promise {

    /** The states of a thread that sleeps. */
    Set<Thread.State> SLEEPING = Set.of(Thread.State.WAITING, Thread.State.TIMED_WAITING);

    /** In seconds: long on a slow machine, but a claim that waits looks by itself once a minute. */
    long SOON = 30;

    /** A wait without an end. */
    Duration FOR_EVER = Duration.ofSeconds(Long.MAX_VALUE);

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

    /** The same ring, whose claims are counted when the store has answered. */
    private Ring counting(Ring ring, AtomicInteger claims) {
        InFront.Way counted =
                (method, arguments, through) -> {
                    Object answer = through.call();
                    claims.addAndGet(method.equals("claim") ? 1 : 0);
                    return answer;
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

    /** A claim that has found nothing, and now sleeps. */
    private FutureTask<Claim> sleeping(Stage counted, AtomicInteger claims, Duration wait) {
        FutureTask<Claim> task = new FutureTask<>(() -> counted.claim(1, wait));
        Thread thread = new Thread(task, "kit-sleeps");
        int before = claims.get();
        thread.start();
        Wait.until(
                "who found nothing sleeps",
                () -> claims.get() > before && SLEEPING.contains(thread.getState()));
        return task;
    }

    /** A push wakes a claim that waits, however long the claim may wait. */
    @Test
    default void aPushWakesWhoWaits() throws Exception {
        AtomicInteger claims = new AtomicInteger();
        Ring ring = counting(ring("wake"), claims);
        FutureTask<Claim> waiting = sleeping(ring.stage(), claims, FOR_EVER);
        push(ring, 1);
        Claim claim = waiting.get(SOON, TimeUnit.SECONDS);
        assertThat(texts(claim)).containsExactly("0");
        claim.done();
    }

    /** A stage that is done with messages wakes the stage that follows it. */
    @Test
    default void aDoneWakesWhoFollows() throws Exception {
        AtomicInteger claims = new AtomicInteger();
        Ring ring = counting(ring("next", stage("a").then(stage("b"))), claims);
        push(ring, 1);
        Claim first = claim(ring.stage("a"), 1);
        FutureTask<Claim> waiting = sleeping(ring.stage("b"), claims, FOR_EVER);
        first.done();
        Claim claim = waiting.get(SOON, TimeUnit.SECONDS);
        assertThat(texts(claim)).containsExactly("0");
        claim.done();
    }

    /** So do the workers of a stage. */
    @Test
    default void workersWakeThoseWhoFollow() throws Exception {
        Ring ring = ring("workers", stage("a").then(stage("b")));
        CountDownLatch seen = new CountDownLatch(5);
        try (Workers a = ring.stage("a").work(1, delivery -> {});
                Workers b = ring.stage("b").work(1, delivery -> seen.countDown())) {
            push(ring, 5);
            assertThat(seen.await(SOON, TimeUnit.SECONDS)).as("b has seen all").isTrue();
        }
    }

    /** A lease that runs out wakes a claim that waits, before its time is over. */
    @Test
    default void theClockWakesWhoWaits() throws Exception {
        AtomicInteger claims = new AtomicInteger();
        Ring ring = counting(ring("clock", briefStage("main")), claims);
        push(ring, 1);
        claim(ring.stage(), 1);
        FutureTask<Claim> waiting = sleeping(ring.stage(), claims, Wait.LONGEST);
        leasesRunOut();
        Claim claim = waiting.get(SOON, TimeUnit.SECONDS);
        assertThat(claim.deliveries().get(0).attempt()).isEqualTo(2);
    }
}
