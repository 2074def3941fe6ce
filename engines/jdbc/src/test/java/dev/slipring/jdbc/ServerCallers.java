// SPDX-License-Identifier: Apache-2.0
package dev.slipring.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.slipring.Claim;
import dev.slipring.Delivery;
import dev.slipring.Message;
import dev.slipring.Ring;
import dev.slipring.RingFull;
import dev.slipring.Slipring;
import dev.slipring.StoreFailed;
import dev.slipring.graph.RingSpec;
import dev.slipring.graph.StageSpec;
import dev.slipring.kit.Keys;
import dev.slipring.kit.server.RunningServer;
import dev.slipring.kit.server.ServerFiles;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/** Callers whose transactions are old or strict, and others that these must not hold up. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class ServerCallers {

    private static final StageSpec MAIN =
            StageSpec.named("main").lease(Duration.ofMinutes(10)).tries(1);

    @RegisterExtension final RunningServer server;

    ServerCallers(ServerFiles files, String... options) {
        server = new RunningServer(files, options);
    }

    /**
     * A transaction that has read already, so that later reads without locks see the state of that
     * moment.
     */
    Connection old(String database) throws SQLException {
        Connection caller = server.get().connect(database);
        caller.setTransactionIsolation(Connection.TRANSACTION_REPEATABLE_READ);
        caller.setAutoCommit(false);
        try (Statement sql = caller.createStatement()) {
            sql.execute("SELECT * FROM slipring_lane");
        }
        return caller;
    }

    private static void within20Seconds(Runnable work) throws Exception {
        CompletableFuture.runAsync(work).get(20, TimeUnit.SECONDS);
    }

    @Test
    void anOldCallerPushesIntoARingThatHasChanged() throws Exception {
        String database = server.get().newDatabase();
        try (Slipring slipring = Slipring.open(server.get().url(database))) {
            Ring ring = slipring.create(RingSpec.named("changed").graph(MAIN));
            try (Connection caller = old(database)) {
                ring.stage().pause();
                ring.stage().resume();
                ring.join(caller).push(Message.of("x"));
                caller.commit();
            }
            assertThat(ring.info().pushed()).isEqualTo(1);
        }
    }

    @Test
    void anOldCallerSeesThatARingIsFull() throws Exception {
        String database = server.get().newDatabase();
        // Another process fills the ring, so that this one does not know that room is short.
        try (Slipring slipring = Slipring.open(server.get().url(database));
                Slipring filler = Slipring.open(server.get().url(database))) {
            // Of two lanes, "a" goes to 1 and "b" to 0.
            Ring ring = slipring.create(RingSpec.named("full").lanes(2).messages(80).graph(MAIN));
            try (Connection caller = old(database)) {
                for (int i = 0; i < 80; i++) {
                    filler.ring("full").push(Message.of("x").key("a"));
                }
                assertThatThrownBy(() -> ring.join(caller).push(Message.of("y").key("b")))
                        .isInstanceOf(RingFull.class);
                caller.commit();
            }
            assertThat(ring.info().heldMessages()).isEqualTo(80);
        }
    }

    @Test
    void aStrictCallerKeepsOnlyHisLane() throws Exception {
        String database = server.get().newDatabase();
        try (Slipring slipring = Slipring.open(server.get().url(database));
                Connection caller = server.get().connect(database)) {
            Ring ring = slipring.create(RingSpec.named("strict").lanes(2).graph(MAIN));
            ring.push(Message.of("before").key("a"));
            caller.setTransactionIsolation(Connection.TRANSACTION_SERIALIZABLE);
            caller.setAutoCommit(false);
            ring.join(caller).push(Message.of("open").key("b"));
            within20Seconds(
                    () -> {
                        ring.push(Message.of("beside").key("a"));
                        ring.stage().claim(9, Duration.ZERO).done();
                    });
            caller.commit();
            assertThat(ring.info().heldMessages()).isEqualTo(1);
        }
    }

    /**
     * In the table, the cells of a lane end where the first cell of the next lane stands, which a
     * caller has locked.
     */
    @Test
    void theLaneBeforeThatOfACallerGrows() throws Exception {
        String database = server.get().newDatabase();
        try (Slipring slipring = Slipring.open(server.get().url(database))) {
            // Of two lanes, "a" goes to 1 and "b" to 0.
            Ring ring = slipring.create(RingSpec.named("grows").lanes(2).graph(MAIN));
            try (Connection caller = old(database)) {
                ring.join(caller).push(Message.of("first").key("a"));
                within20Seconds(
                        () -> {
                            for (int i = 0; i <= Cells.first(ring.spec()); i++) {
                                ring.push(Message.of("x").key("b"));
                            }
                        });
                caller.commit();
            }
            assertThat(ring.check()).isEmpty();
        }
    }

    @Test
    void whatAnOldCallerIsDoneWithReachesTheNextWhole() throws Exception {
        String database = server.get().newDatabase();
        byte[] body = new byte[2 << 20];
        new Random(1).nextBytes(body);
        try (Slipring slipring = Slipring.open(server.get().url(database))) {
            StageSpec main = MAIN.tries(3);
            Ring ring =
                    slipring.create(
                            RingSpec.named("whole")
                                    .lanes(1)
                                    .graph(main.then(StageSpec.named("next"))));
            ring.pushAll(List.of(Message.of(body), Message.of("second")));
            try (Connection caller = old(database)) {
                Claim claim = ring.stage("main").claim(2, Duration.ofSeconds(5));
                Delivery first = claim.deliveries().get(0);
                claim.fail(first, "once", Duration.ZERO);
                claim.done();
                ring.stage("next").claim(9, Duration.ofSeconds(5)).done();
                Claim again = ring.stage("main").claim(1, Duration.ofSeconds(5));
                ring.join(caller).done(again);
                caller.commit();
            }
            Claim late = ring.stage("next").claim(1, Duration.ofSeconds(5));
            assertThat(late.deliveries().get(0).body()).isEqualTo(body);
        }
    }

    @Test
    void whatWasDroppedBeforeAnOldCallersTimeIsNotCountedAgain() throws Exception {
        String database = server.get().newDatabase();
        try (Slipring slipring = Slipring.open(server.get().url(database))) {
            Ring ring =
                    slipring.create(
                            RingSpec.named("dropped")
                                    .lanes(1)
                                    .graph(MAIN.then(StageSpec.named("next"))));
            for (int i = 0; i < 5; i++) {
                ring.push("" + i);
            }
            drop(ring);
            try (Connection caller = old(database)) {
                ring.stage("main").claim(1, Duration.ZERO).done();
                ring.stage("next").claim(1, Duration.ZERO).done();
                ring.stage("main").claim(1, Duration.ZERO).done();
                drop(ring);
                ring.join(caller).done(ring.stage("next").claim(1, Duration.ZERO));
                caller.commit();
            }
            ring.stage("main").claim(1, Duration.ZERO).done();
            Claim next = ring.stage("next").claim(9, Duration.ZERO);
            assertThat(next.deliveries()).extracting(Delivery::text).containsExactly("4");
            assertThat(ring.check()).isEmpty();
        }
    }

    private static void drop(Ring ring) {
        Claim claim = ring.stage("main").claim(1, Duration.ZERO);
        claim.fail(claim.deliveries().get(0), "no");
        assertThat(ring.stage("main").dropAllDead()).isEqualTo(1);
    }

    /**
     * The server undoes only the statement that fails; Slipring undoes what the same push wrote
     * before it.
     */
    @Test
    void aPushThatFailsHalfwayLeavesNothing() throws Exception {
        String database = server.get().newDatabase();
        try (Slipring slipring = Slipring.open(server.get().url(database));
                Connection caller = server.get().connect(database);
                Connection other = server.get().connect(database);
                Statement sql = other.createStatement()) {
            Ring ring = slipring.create(RingSpec.named("halfway").lanes(2).graph(MAIN));
            sql.execute(
                    "CREATE TRIGGER breaks BEFORE UPDATE ON slipring_lane FOR EACH ROW IF NEW.lane"
                            + " = 1 THEN SIGNAL SQLSTATE '45000' SET MESSAGE_TEXT = 'no'; END IF");
            caller.setAutoCommit(false);
            Message[] both = {
                Message.of("0").key(Keys.of(0, 2)), Message.of("1").key(Keys.of(1, 2))
            };
            assertThatThrownBy(() -> ring.join(caller).push(both))
                    .isInstanceOf(StoreFailed.class)
                    .hasMessageContaining("no)");
            caller.commit();
            sql.execute("DROP TRIGGER breaks");
            assertThat(ring.info().pushed()).isZero();
            assertThat(ring.check()).isEmpty();
        }
    }

    @Test
    void aWordDoesNotWaitForAnOpenPush() throws Exception {
        String database = server.get().newDatabase();
        String large = "x".repeat(5_000);
        try (Slipring slipring = Slipring.open(server.get().url(database));
                Connection caller = server.get().connect(database)) {
            Ring ring = slipring.create(RingSpec.named("bodies").lanes(1).graph(MAIN));
            for (int i = 0; i < 5; i++) {
                ring.push(large);
            }
            Claim claim = ring.stage().claim(5, Duration.ZERO);
            assertThat(claim.deliveries()).hasSize(5);
            caller.setAutoCommit(false);
            for (int i = 0; i < 4; i++) {
                ring.join(caller).push(Message.of(large));
            }
            within20Seconds(claim::done);
            caller.commit();
            assertThat(ring.info().heldMessages()).isEqualTo(4);
            assertThat(ring.check()).isEmpty();
        }
    }

    @Test
    void aFailureDoesNotWaitForAnotherOfACaller() throws Exception {
        String database = server.get().newDatabase();
        try (Slipring slipring = Slipring.open(server.get().url(database));
                Connection caller = server.get().connect(database)) {
            Ring one = slipring.create(RingSpec.named("one").graph(MAIN));
            Ring two = slipring.create(RingSpec.named("two").graph(MAIN));
            one.push("x");
            two.push("x");
            Claim first = one.stage().claim(1, Duration.ZERO);
            Claim second = two.stage().claim(1, Duration.ZERO);
            caller.setTransactionIsolation(Connection.TRANSACTION_REPEATABLE_READ);
            caller.setAutoCommit(false);
            one.join(caller).fail(first, first.deliveries().get(0), "no");
            within20Seconds(() -> second.fail(second.deliveries().get(0), "no"));
            caller.commit();
            assertThat(one.stage().deadLetters(9)).hasSize(1);
            assertThat(two.stage().deadLetters(9)).hasSize(1);
        }
    }

    /** In a nearly full ring, a caller keeps all lanes of that ring, but no row of others. */
    @Test
    void aRingIsMadeBesideACallerInANearlyFullOne() throws Exception {
        String database = server.get().newDatabase();
        try (Slipring slipring = Slipring.open(server.get().url(database));
                Connection caller = server.get().connect(database)) {
            Ring ring = slipring.create(RingSpec.named("full").lanes(2).messages(80).graph(MAIN));
            ring.pushAll(Collections.nCopies(70, Message.of("x")));
            caller.setTransactionIsolation(Connection.TRANSACTION_REPEATABLE_READ);
            caller.setAutoCommit(false);
            ring.join(caller).push(Message.of("y"));
            within20Seconds(() -> slipring.create(RingSpec.named("beside")).push("z"));
            caller.commit();
            assertThat(ring.info().heldMessages()).isEqualTo(71);
        }
    }

    /**
     * Nor does a failure wait for a caller's word about a message that had failed before, whatever
     * the size of the bodies.
     */
    @ParameterizedTest
    @CsvSource({
        "2, true",
        "2, false",
        "4, true",
        "4, false",
        "8, true",
        "8, false",
    })
    void aFailureDoesNotWaitForACallersWordAboutARetry(int isolation, boolean done)
            throws Exception {
        String database = server.get().newDatabase();
        try (Slipring slipring = Slipring.open(server.get().url(database));
                Connection caller = server.get().connect(database)) {
            Claim before = claimed(slipring, "before");
            Claim first = claimed(slipring, "words");
            Claim second = slipring.ring("words").stage("main").claim(9, Duration.ZERO);
            Claim behind = claimed(slipring, "behind");
            failAll(first);
            // A stage that has passed the messages gets them when the caller is done with them.
            Ring ring = slipring.ring("words");
            ring.stage("next").claim(9, Duration.ZERO).done();
            Claim retried = ring.stage("main").claim(9, Duration.ofSeconds(5));
            caller.setTransactionIsolation(isolation);
            caller.setAutoCommit(false);
            for (Delivery delivery : retried.deliveries()) {
                assertThat(delivery.attempt()).isEqualTo(2);
                if (done) {
                    ring.join(caller).done(retried, delivery);
                } else {
                    ring.join(caller).fail(retried, delivery, "again");
                }
            }
            for (Claim other : List.of(before, second, behind)) {
                within20Seconds(() -> failAll(other));
            }
            caller.commit();
            assertThat(retried.deliveries()).hasSize(2);
            assertThat(ring.check()).isEmpty();
            assertThat(ring.stage("next").claim(9, Duration.ZERO).deliveries())
                    .hasSize(done ? 2 : 0);
        }
    }

    /**
     * Makes a ring with a small and a large message in each of two lanes; returns one claim of it.
     */
    private static Claim claimed(Slipring slipring, String name) {
        StageSpec main = MAIN.tries(3).backoff(Duration.ZERO, Duration.ZERO);
        Ring ring =
                slipring.create(
                        RingSpec.named(name).lanes(2).graph(main.then(StageSpec.named("next"))));
        for (String key : List.of("a", "b")) {
            Message large = Message.of(new byte[700_000]).key(key);
            ring.pushAll(List.of(Message.of("x").key(key), large));
        }
        return ring.stage("main").claim(9, Duration.ZERO);
    }

    private static void failAll(Claim claim) {
        assertThat(claim.deliveries()).hasSize(2);
        claim.deliveries().forEach(delivery -> claim.fail(delivery, "no", Duration.ZERO));
    }
}
