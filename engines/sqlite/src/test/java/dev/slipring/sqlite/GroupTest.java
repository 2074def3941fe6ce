// SPDX-License-Identifier: Apache-2.0
package dev.slipring.sqlite;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.slipring.Claim;
import dev.slipring.LaneKept;
import dev.slipring.Message;
import dev.slipring.NoSuchRing;
import dev.slipring.Ring;
import dev.slipring.Slipring;
import dev.slipring.StoreFailed;
import dev.slipring.engine.Store;
import dev.slipring.graph.RingSpec;
import dev.slipring.ledger.ClaimRow;
import dev.slipring.ledger.LaneRow;
import dev.slipring.ledger.Rows;
import dev.slipring.ledger.Strand;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.nio.file.Path;
import java.sql.Connection;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;

class GroupTest {

    /** In seconds; long enough for a busy disk and the 1,600 pushes of a test. */
    private static final long PATIENCE_SECONDS = 180;

    @TempDir Path folder;

    private final ExecutorService threads = Executors.newCachedThreadPool();

    @AfterEach
    void shutDown() {
        threads.shutdown();
    }

    @Test
    void aFailureHitsItsOwnerOnly() throws Exception {
        Path file = folder.resolve("x.db");
        try (SqliteStore store = Given.ring(file);
                Connection other = Given.jdbc(file)) {
            Given.run(other, "BEGIN IMMEDIATE");
            List<Future<?>> good = new ArrayList<>();
            List<Future<?>> bad = new ArrayList<>();
            for (int i = 0; i < 20; i++) {
                good.add(threads.submit(() -> store.push("r", Given.slot(1, 10))));
                bad.add(threads.submit(() -> store.push("none", Given.slot(1, 10))));
            }
            bad.add(threads.submit(() -> store.transactor().write(true, GroupTest::breaksOff)));
            bad.add(threads.submit(() -> store.transactor().write(true, GroupTest::breaksRows)));
            bad.add(threads.submit(() -> store.transactor().write(true, GroupTest::breaksWriting)));
            Thread.sleep(100);
            Given.run(other, "COMMIT");
            for (Future<?> push : good) {
                push.get(PATIENCE_SECONDS, TimeUnit.SECONDS);
            }
            List<Class<?>> failures = new ArrayList<>();
            for (Future<?> push : bad) {
                assertThatThrownBy(() -> push.get(PATIENCE_SECONDS, TimeUnit.SECONDS))
                        .isInstanceOf(ExecutionException.class)
                        .satisfies(e -> failures.add(e.getCause().getClass()));
            }
            assertThat(failures)
                    .contains(NoSuchRing.class, IllegalStateException.class, StoreFailed.class)
                    .endsWith(NullPointerException.class);
            assertThat(Given.pushed(store)).isEqualTo(20);
            assertThat(store.survey("r", true).broken()).isEmpty();
        }
    }

    private static Object breaksOff(Rows rows) {
        rows.lanes().put(1, new LaneRow(0, 99, 0, 0));
        throw new IllegalStateException("enough");
    }

    private static Object breaksRows(Rows rows) {
        rows.strands().put(1, new Strand(null, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0));
        return null;
    }

    /**
     * Makes a unit fail only when its rows are written: that failure, too, is told only to the
     * thread whose unit it is.
     */
    private static Object breaksWriting(Rows rows) {
        rows.strands().putClaim(1, new ClaimRow("main", 0, 5, 0, 1, null, 1, "w", 0));
        return null;
    }

    @Test
    void waitsForAnotherProcess() throws Exception {
        Path file = folder.resolve("x.db");
        try (Store store = Given.ring(file);
                Connection other = Given.jdbc(file)) {
            Given.run(other, "BEGIN IMMEDIATE");
            Future<?> push = threads.submit(() -> store.push("r", Given.slot(1, 10)));
            Thread.sleep(300);
            assertThat(push.isDone()).isFalse();
            assertThat(Given.pushed(store)).isZero();
            Given.run(other, "COMMIT");
            push.get(PATIENCE_SECONDS, TimeUnit.SECONDS);
            assertThat(Given.pushed(store)).isEqualTo(1);
        }
    }

    @Test
    void doesNotWaitForEver() throws Exception {
        Path file = folder.resolve("x.db");
        try (Store store = Given.ring(file, "?busy=1");
                Connection other = Given.jdbc(file)) {
            Given.run(other, "BEGIN IMMEDIATE");
            assertThatThrownBy(() -> store.push("r", Given.slot(1, 10)))
                    .isInstanceOf(StoreFailed.class)
                    .hasMessageContaining(
                            "locked by another transaction, of this process or another, for 1 s");
            Given.run(other, "ROLLBACK");
            store.push("r", Given.slot(1, 10));
            assertThat(Given.pushed(store)).isEqualTo(1);
        }
    }

    /** Pushes that wait for the file, and those that come meanwhile and later, keep their order. */
    @Test
    void whatWaitedForTheFileKeepsItsOrder() throws Exception {
        Path file = folder.resolve("x.db");
        try (Slipring slipring = Slipring.open("sqlite:" + file);
                Connection other = Given.jdbc(file)) {
            Ring ring = slipring.create(RingSpec.named("r"));
            List<CompletableFuture<Void>> pushes = new ArrayList<>();
            Given.run(other, "BEGIN IMMEDIATE");
            for (int i = 0; i < 300; i++) {
                if (i == 100) {
                    // Long enough for the writer to hand the first of them over to the thread that
                    // waits for the file.
                    Thread.sleep(600);
                } else if (i == 200) {
                    Given.run(other, "ROLLBACK");
                }
                Message message = Message.of("" + i).key(i % 2 == 0 ? "even" : null);
                pushes.add(ring.pushAsync(message).toCompletableFuture());
            }
            for (CompletableFuture<Void> push : pushes) {
                push.get(PATIENCE_SECONDS, TimeUnit.SECONDS);
            }
            List<Integer> seen = new ArrayList<>();
            ring.stage().drain(delivery -> seen.add(Integer.valueOf(delivery.text())));
            assertThat(seen).hasSize(300).isSorted();
        }
    }

    /**
     * A push goes by its own time-out, whatever other calls wait for the file, and for however
     * long.
     */
    @Test
    void aPushWaitsAsLongAsItIsTold() throws Exception {
        Path file = folder.resolve("x.db");
        try (Slipring slipring = Slipring.open("sqlite:" + file + "?busy=600");
                Connection other = Given.jdbc(file)) {
            Ring ring = slipring.create(RingSpec.named("r"));
            ring.push("in front");
            Given.run(other, "BEGIN IMMEDIATE");
            // The first call waits for the file, in its own thread; a call that comes later does
            // not make it wait longer.
            Future<?> first =
                    threads.submit(() -> ring.push(Message.of("x"), Duration.ofMillis(300)));
            Thread.sleep(100);
            Future<Claim> claim = threads.submit(() -> ring.stage().claim(1, Duration.ZERO));
            assertThatThrownBy(() -> first.get(PATIENCE_SECONDS, TimeUnit.SECONDS))
                    .hasCauseInstanceOf(LaneKept.class);
            Future<?> later =
                    threads.submit(() -> ring.push(Message.of("waits"), Duration.ofSeconds(600)));
            for (Duration wait : List.of(Duration.ZERO, Duration.ofMillis(300))) {
                assertThatThrownBy(() -> ring.push(Message.of("gives up"), wait))
                        .isInstanceOf(LaneKept.class);
            }
            CompletableFuture<Void> async =
                    ring.pushAsync(Message.of("gives up"), Duration.ZERO).toCompletableFuture();
            assertThat(async)
                    .failsWithin(Duration.ofSeconds(PATIENCE_SECONDS))
                    .withThrowableOfType(ExecutionException.class)
                    .withCauseInstanceOf(LaneKept.class);
            assertThat(claim).isNotDone();
            assertThat(later).isNotDone();
            Given.run(other, "ROLLBACK");
            later.get(PATIENCE_SECONDS, TimeUnit.SECONDS);
            claim.get(PATIENCE_SECONDS, TimeUnit.SECONDS).done();
            ring.push("goes on");
            assertThat(ring.stage().drain(delivery -> {})).isEqualTo(2);
            assertThat(ring.info().pushed()).isEqualTo(3);
            assertThat(ring.check()).isEmpty();
        }
    }

    @Test
    void anInterruptedThreadGetsItsOutcomeAndStaysInterrupted() throws Exception {
        Path file = folder.resolve("x.db");
        try (Store store = Given.ring(file);
                Connection other = Given.jdbc(file)) {
            Given.run(other, "BEGIN IMMEDIATE");
            List<Future<Boolean>> pushes = new ArrayList<>();
            for (int i = 0; i < 3; i++) {
                pushes.add(
                        threads.submit(
                                () -> {
                                    Thread.currentThread().interrupt();
                                    store.push("r", Given.slot(1, 10));
                                    return Thread.interrupted();
                                }));
            }
            Thread.sleep(50);
            Given.run(other, "COMMIT");
            for (Future<Boolean> push : pushes) {
                assertThat(push.get(PATIENCE_SECONDS, TimeUnit.SECONDS)).isTrue();
            }
            assertThat(Given.pushed(store)).isEqualTo(3);
        }
    }

    @Test
    void whoCommitsForOthersLosesNothing() throws Exception {
        Path file = folder.resolve("x.db");
        try (Store one = Given.ring(file, "?synchronous=normal");
                Store two = Given.store(file, "?synchronous=normal")) {
            List<Future<?>> pushes = new ArrayList<>();
            for (int i = 0; i < 8; i++) {
                Store store = i % 2 == 0 ? one : two;
                pushes.add(
                        threads.submit(
                                () -> {
                                    for (int n = 0; n < 200; n++) {
                                        store.push("r", Given.slot(1, 10));
                                    }
                                }));
            }
            for (Future<?> push : pushes) {
                push.get(PATIENCE_SECONDS, TimeUnit.SECONDS);
            }
            assertThat(Given.pushed(one)).isEqualTo(1600);
            assertThat(two.survey("r", true).broken()).isEmpty();
        }
    }
}
