// SPDX-License-Identifier: Apache-2.0
package dev.slipring.kit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.slipring.Claim;
import dev.slipring.Delivery;
import dev.slipring.Fenced;
import dev.slipring.Joined;
import dev.slipring.Listener;
import dev.slipring.Message;
import dev.slipring.NotInHand;
import dev.slipring.Ring;
import dev.slipring.RingFull;
import dev.slipring.StoreFailed;
import dev.slipring.WorkOptions;
import dev.slipring.Workers;
import dev.slipring.engine.Capability;
import dev.slipring.graph.RingSpec;

import org.junit.jupiter.api.Test;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.Savepoint;
import java.sql.Statement;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.IntStream;

/** Promise 9: push, done, fail and extend take part in the caller's transaction. */
public interface P09Join extends Promise {

    /** All of it takes effect with the commit, nothing before. */
    @Test
    default void allOfItWithTheCommit() throws Exception {
        needs(Capability.JOIN);
        Ring ring = ring("all");
        push(ring, 3);
        Claim claim = claim(ring.stage(), 3);
        try (Connection connection = bed().connect();
                Statement sql = connection.createStatement()) {
            sql.execute("CREATE TABLE effect (n INTEGER)");
            connection.setAutoCommit(false);
            Joined joined = ring.join(connection);
            sql.execute("INSERT INTO effect VALUES (1)");
            joined.extend(claim);
            joined.done(claim, claim.deliveries().get(0));
            joined.fail(claim, claim.deliveries().get(1), null);
            joined.push(Message.of("pushed").key("k"));
            assertThat(ring.info().pushed()).isEqualTo(3);
            connection.commit();
        }
        assertThat(ring.info().pushed()).isEqualTo(4);
        assertThat(ring.info().stages().get(0).aside()).isEqualTo(1);
        assertThat(ring.info().stages().get(0).inHand().get(0).messages()).isEqualTo(1);
    }

    /**
     * A second thread in the same transaction is refused: it would write to the same place as the
     * first, and a message would be lost.
     */
    @Test
    default void aTransactionIsForOneThreadAtATime() throws Exception {
        needs(Capability.JOIN);
        Ring ring = ring("alone");
        AtomicReference<Joined> second = new AtomicReference<>();
        AtomicReference<Throwable> refused = new AtomicReference<>();
        try (Connection connection = transaction()) {
            Connection watched =
                    InFront.of(
                            Connection.class,
                            connection,
                            (method, arguments, through) -> {
                                Joined other = second.getAndSet(null);
                                if (other != null) {
                                    refused.set(thrown(() -> other.push(Message.of("b"))));
                                }
                                return through.call();
                            });
            Joined first = ring.join(watched);
            second.set(ring.join(watched));
            first.push(Message.of("a"));
            first.push(Message.of("c"));
            connection.commit();
        }
        assertThat(refused.get())
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("another thread is at work in this transaction");
        assertThat(takeAll(ring.stage())).containsExactly("a", "c");
    }

    /** What a call throws on another thread; null if it returns. */
    private static Throwable thrown(Runnable call) {
        return CompletableFuture.runAsync(call)
                .handle((none, error) -> error == null ? null : error.getCause())
                .join();
    }

    /** A push that is rolled back frees its room again, in every lane that it went to. */
    @Test
    default void whatIsTakenBackLeavesItsRoom() throws Exception {
        needs(Capability.JOIN);
        Ring ring =
                slipring()
                        .create(
                                RingSpec.named("room")
                                        .lanes(2)
                                        .messages(1_000)
                                        .graph(stage("main")));
        Message[] many =
                IntStream.range(0, 600).mapToObj(i -> to(i % 2, 2, "" + i)).toArray(Message[]::new);
        try (Connection connection = transaction()) {
            Savepoint before = connection.setSavepoint();
            ring.join(connection).push(many);
            connection.rollback(before);
            ring.join(connection).push(many);
            connection.rollback();
            ring.join(connection).push(many);
            connection.commit();
        }
        assertThat(ring.info().heldMessages()).isEqualTo(600);
        assertThat(takeAll(ring.stage())).hasSize(600);
        assertThat(ring.check()).isEmpty();
    }

    /** Done for the rest of a claim leaves out what this transaction has reported before. */
    @Test
    default void whatIsLeftIsDone() throws Exception {
        needs(Capability.JOIN);
        Ring ring = ring("left");
        push(ring, 4);
        Claim claim = claim(ring.stage(), 4);
        claim.done(claim.deliveries().get(3));
        try (Connection connection = transaction()) {
            Joined joined = ring.join(connection);
            joined.done(claim, claim.deliveries().get(0));
            joined.fail(claim, claim.deliveries().get(1), "no");
            joined.done(claim);
            assertThatThrownBy(() -> joined.done(claim)).isInstanceOf(Fenced.class);
            connection.commit();
        }
        assertThat(ring.info().stages().get(0).inHand()).isEmpty();
        assertThat(ring.info().stages().get(0).aside()).isEqualTo(1);
        assertThat(ring.info().heldMessages()).isZero();
        assertThat(ring.check()).isEmpty();
    }

    /**
     * Closing a claim before the commit does not wait for the commit, which could then never come.
     */
    @Test
    default void aClaimMayBeClosedBeforeTheCommit() throws Exception {
        needs(Capability.JOIN);
        Ring ring = ring("closed");
        push(ring, 2);
        try (Connection connection = transaction()) {
            try (Claim claim = claim(ring.stage(), 2)) {
                ring.join(connection).done(claim);
            }
            connection.commit();
        }
        assertThat(ring.info().heldMessages()).isZero();
        assertThat(ring.check()).isEmpty();
    }

    /**
     * Messages that a transaction did not report go back when the claim is closed, not only when
     * its lease runs out.
     */
    @Test
    default void whatATransactionLeftGoesBack() throws Exception {
        needs(Capability.JOIN);
        Ring ring = ring("left-behind");
        push(ring, 2);
        try (Connection connection = transaction()) {
            try (Claim claim = claim(ring.stage(), 2)) {
                ring.join(connection).done(claim, claim.deliveries().get(0));
                connection.commit();
            }
        }
        assertThat(texts(claim(ring.stage(), 2))).containsExactly("1");
        assertThat(ring.check()).isEmpty();
    }

    /** None of it takes effect after a rollback. */
    @Test
    default void nothingOfItWithARollback() throws Exception {
        needs(Capability.JOIN);
        Ring ring = ring("nothing");
        push(ring, 2);
        Claim claim = claim(ring.stage(), 2);
        try (Connection connection = transaction()) {
            Joined joined = ring.join(connection);
            joined.done(claim, claim.deliveries().get(0));
            joined.fail(claim, claim.deliveries().get(1), "no");
            joined.push(Message.of("never"));
            connection.rollback();
        }
        assertThat(ring.info().pushed()).isEqualTo(2);
        claim.done();
        assertThat(ring.info().heldMessages()).isZero();
        assertThat(ring.info().stages().get(0).failed()).isZero();
    }

    /** A call that is refused inside a transaction leaves the rest of the transaction intact. */
    @Test
    default void aRefusalLeavesTheTransactionAlone() throws Exception {
        needs(Capability.JOIN);
        Ring ring = slipring().create(RingSpec.named("tight").messages(1).graph(stage("main")));
        try (Connection connection = transaction()) {
            Joined joined = ring.join(connection);
            joined.push(Message.of("fits"));
            assertThatThrownBy(() -> joined.push(Message.of("does not")))
                    .isInstanceOf(RingFull.class);
            connection.commit();
        }
        assertThat(takeAll(ring.stage())).containsExactly("fits");
    }

    /** A message of another lane is refused, although one in hand has the same position. */
    @Test
    default void aMessageOfAnotherLaneIsRefused() throws Exception {
        needs(Capability.JOIN);
        Ring ring = slipring().create(RingSpec.named("lanes").lanes(2).graph(stage("main")));
        Claim[] claims = claimsOfTwoLanes(ring);
        Delivery stray = claims[1].deliveries().get(0);
        try (Connection connection = transaction()) {
            Joined joined = ring.join(connection);
            assertThatThrownBy(() -> joined.done(claims[0], stray)).isInstanceOf(NotInHand.class);
            assertThatThrownBy(() -> joined.fail(claims[0], stray, "no"))
                    .isInstanceOf(NotInHand.class)
                    .hasMessageContaining(stray.id());
            connection.commit();
        }
        claims[0].done();
        assertThat(ring.info().stages().get(0).failed()).isZero();
    }

    /**
     * A claim of another ring is refused: in this ring another claim may have its lane and
     * positions.
     */
    @Test
    default void aClaimOfAnotherRingIsRefused() throws Exception {
        needs(Capability.JOIN);
        Ring ring = ring("ours");
        Ring other = ring("theirs");
        push(ring, 1);
        push(other, 1);
        Claim claim = claim(other.stage(), 1);
        Claim same = claim(ring.stage(), 1);
        try (Connection connection = transaction()) {
            Joined joined = ring.join(connection);
            assertThatThrownBy(() -> joined.done(claim))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("'theirs'")
                    .hasMessageContaining("'ours'");
            joined.done(same);
            connection.commit();
        }
        assertThat(ring.info().heldMessages()).isZero();
        claim.done();
        assertThat(other.info().heldMessages()).isZero();
    }

    /**
     * A word that an open transaction of the same thread holds up fails, and does not wait for
     * ever.
     */
    @Test
    default void aWordBehindOnesOwnOpenTransactionIsRefused() throws Exception {
        needs(Capability.JOIN);
        Ring ring = slipring().create(RingSpec.named("own").lanes(1).graph(stage("main")));
        push(ring, 2);
        Claim claim = claim(ring.stage(), 2);
        try (Connection connection = transaction()) {
            ring.join(connection).done(claim, claim.deliveries().get(0));
            String words = lanes() ? "still open; commit it" : "keeps one open";
            assertThatThrownBy(claim::done)
                    .isInstanceOf(StoreFailed.class)
                    .hasMessageContaining(words);
            connection.commit();
        }
        claim.done();
        assertThat(ring.info().heldMessages()).isZero();
    }

    /** A connection without a transaction is refused. */
    @Test
    default void autoCommitIsRefused() throws Exception {
        needs(Capability.JOIN);
        Ring ring = ring("auto");
        try (Connection connection = bed().connect()) {
            assertThatThrownBy(() -> ring.join(connection).push(Message.of("x")))
                    .hasMessageContaining("auto-commit");
        }
        assertThat(ring.info().pushed()).isZero();
    }

    /**
     * A word about an empty claim does nothing, and a message that is too large does not break the
     * transaction.
     */
    @Test
    default void whatCannotBeSaidLeavesTheTransactionAlone() throws Exception {
        needs(Capability.JOIN);
        Ring ring = ring("alone");
        Claim empty = ring.stage().claim(1, Duration.ZERO);
        try (Connection connection = transaction()) {
            Joined joined = ring.join(connection);
            joined.done(empty);
            joined.extend(empty);
            assertThatThrownBy(() -> joined.push(Message.of(new byte[(64 << 20) + 1])))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("larger");
            joined.push(Message.of("x"));
            connection.commit();
        }
        assertThat(takeAll(ring.stage())).containsExactly("x");
    }

    /**
     * With the effect and the done in one transaction, each effect is there exactly once, although
     * transactions roll back.
     */
    @Test
    default void effectsAndDoneTogetherAreExactlyOnce() throws Exception {
        needs(Capability.JOIN);
        ring("once", stage("main").tries(1_000));
        AtomicInteger late = new AtomicInteger();
        Listener listener =
                new Listener() {
                    @Override
                    public void fenced(String ring, String stage) {
                        late.incrementAndGet();
                    }
                };
        Ring ring = heardBy(listener).ring("once");
        push(ring, 40);
        try (Connection connection = bed().connect();
                Statement sql = connection.createStatement()) {
            sql.execute("CREATE TABLE effect (n INTEGER)");
            connection.setAutoCommit(false);
            int[] turn = {0};
            try (Workers workers =
                    ring.stage()
                            .workBatches(
                                    WorkOptions.threads(1).batch(8),
                                    claim -> {
                                        ring.join(connection).done(claim);
                                        for (String text : texts(claim)) {
                                            sql.execute("INSERT INTO effect VALUES (" + text + ")");
                                        }
                                        if (turn[0]++ % 3 == 0) {
                                            connection.rollback();
                                        } else {
                                            connection.commit();
                                        }
                                    })) {
                assertThat(ring.drain(Wait.LONGEST)).isTrue();
            }
            try (ResultSet rows =
                    sql.executeQuery("SELECT count(*), count(DISTINCT n) FROM effect")) {
                rows.next();
                assertThat(rows.getInt(1)).isEqualTo(40);
                assertThat(rows.getInt(2)).isEqualTo(40);
            }
            assertThat(late).as("words that came too late").hasValue(0);
        }
    }
}
