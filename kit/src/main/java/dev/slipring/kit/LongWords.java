// SPDX-License-Identifier: Apache-2.0
package dev.slipring.kit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.slipring.BatchHandler;
import dev.slipring.Claim;
import dev.slipring.Ring;
import dev.slipring.Slipring;
import dev.slipring.Stage;
import dev.slipring.StoreFailed;
import dev.slipring.WorkOptions;
import dev.slipring.Workers;
import dev.slipring.engine.Capability;
import dev.slipring.graph.RingSpec;
import dev.slipring.graph.StageSpec;

import org.junit.jupiter.api.Test;

import java.sql.Connection;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;

/** A word in a transaction that takes long: it holds up only those that have to wait for it. */
public interface LongWords extends Promise {

    /** The leases of other claims are extended while one worker's transaction goes on. */
    @Test
    default void aLongTransactionOfOneWorkerCostsNoOtherItsLease() throws Exception {
        needs(Capability.LANES);
        try (Slipring real = realTime();
                Slipring other = realTime()) {
            Duration lease = Duration.ofSeconds(5);
            Ring ring =
                    real.create(
                            RingSpec.named("leases")
                                    .lanes(2)
                                    .graph(StageSpec.named("main").lease(lease)));
            CountDownLatch inHand = new CountDownLatch(2);
            CountDownLatch said = new CountDownLatch(1);
            CountDownLatch over = new CountDownLatch(1);
            List<String> seen = Collections.synchronizedList(new ArrayList<>());
            BatchHandler handler =
                    claim -> {
                        seen.addAll(texts(claim));
                        inHand.countDown();
                        try (Connection connection = transaction()) {
                            inHand.await(60, TimeUnit.SECONDS);
                            if (claim.lane() == 0) {
                                ring.join(connection).done(claim);
                                said.countDown();
                            }
                            over.await(60, TimeUnit.SECONDS);
                            connection.commit();
                        }
                    };
            try (Workers workers = ring.stage().workBatches(WorkOptions.threads(2), handler)) {
                ring.pushAll(List.of(to(0, 2, "long"), to(1, 2, "other")));
                boolean isSaid = said.await(60, TimeUnit.SECONDS);
                Stage thief = other.ring("leases").stage();
                Claim stolen = thief.claim(10, lease.plusSeconds(2));
                over.countDown();
                assertThat(isSaid).isTrue();
                assertThat(texts(stolen)).isEmpty();
                assertThat(ring.drain(Wait.LONGEST)).isTrue();
            }
            assertThat(seen).containsExactlyInAnyOrder("long", "other");
        }
    }

    /**
     * A transaction that is about to report on a claim does not wait for the thread that extends
     * the claim's lease. That thread waits for the transaction.
     */
    @Test
    default void aTransactionDoesNotWaitForWhoExtendsItsLease() throws Exception {
        needs(Capability.JOIN);
        try (Slipring real = realTime()) {
            StageSpec stage = StageSpec.named("main").lease(Duration.ofSeconds(9));
            real.create(RingSpec.named("extends").graph(stage));
            CountDownLatch extending = new CountDownLatch(1);
            InFront.Way heard =
                    (method, arguments, through) -> {
                        if (method.equals("trySettle")) {
                            extending.countDown();
                        }
                        return through.call();
                    };
            Ring ring = behind(real, heard).ring("extends");
            ring.push("once");
            List<Integer> attempts = Collections.synchronizedList(new ArrayList<>());
            BatchHandler handler =
                    claim -> {
                        attempts.add(claim.deliveries().get(0).attempt());
                        try (Connection connection = bed().connect();
                                Statement sql = connection.createStatement()) {
                            connection.setAutoCommit(false);
                            sql.execute("INSERT INTO effect VALUES (1)");
                            extending.await(60, TimeUnit.SECONDS);
                            assertThat(claim.left()).hasSize(1);
                            ring.join(connection).done(claim);
                            connection.commit();
                        }
                    };
            try (Connection connection = bed().connect();
                    Statement sql = connection.createStatement()) {
                sql.execute("CREATE TABLE effect (n INTEGER)");
            }
            try (Workers workers = ring.stage().workBatches(WorkOptions.threads(1), handler)) {
                assertThat(ring.drain(Wait.LONGEST)).isTrue();
            }
            assertThat(attempts).containsExactly(1);
        }
    }

    /** A word that comes with the next claim fails if its claim's transaction stays open. */
    @Test
    default void aWordWithTheNextClaimBehindAnOpenTransactionIsRefused() throws Exception {
        needs(Capability.JOIN);
        needs(Capability.LANES); // else the whole store waits for the transaction
        Ring ring = slipring().create(RingSpec.named("next").lanes(1).graph(stage("main")));
        push(ring, 3);
        Claim claim = claim(ring.stage(), 2);
        try (Connection connection = bed().connect()) {
            connection.setAutoCommit(false);
            ring.join(connection).done(claim, claim.deliveries().get(0));
            assertThat(CompletableFuture.supplyAsync(() -> claim.doneAndNext(9, Duration.ZERO)))
                    .failsWithin(Wait.LONGEST)
                    .withThrowableOfType(ExecutionException.class)
                    .withCauseInstanceOf(StoreFailed.class)
                    .withMessageContaining("still open; commit it");
            connection.commit();
        }
        Claim next = claim.doneAndNext(9, Duration.ZERO);
        assertThat(texts(next)).hasSize(1);
        next.done();
        assertThat(ring.info().heldMessages()).isZero();
    }
}
