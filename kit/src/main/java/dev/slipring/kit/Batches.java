// SPDX-License-Identifier: Apache-2.0
package dev.slipring.kit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.slipring.Batch;
import dev.slipring.Claim;
import dev.slipring.Codec;
import dev.slipring.DeadLetter;
import dev.slipring.Delivery;
import dev.slipring.Listener;
import dev.slipring.Message;
import dev.slipring.Ring;
import dev.slipring.RingFull;
import dev.slipring.Typed;
import dev.slipring.TypedJoined;
import dev.slipring.WorkOptions;
import dev.slipring.Workers;
import dev.slipring.engine.Capability;
import dev.slipring.graph.RingSpec;
import dev.slipring.graph.StageSpec;

import org.junit.jupiter.api.Test;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;

/** Handlers of the values of whole claims, some of whose messages are no values. */
public interface Batches extends Promise {

    /** Numbers as text. */
    Codec<Integer> NUMBERS =
            new Codec<>() {
                @Override
                public byte[] encode(Integer value) {
                    return Codec.text().encode(value.toString());
                }

                @Override
                public Integer decode(byte[] body) {
                    return Integer.valueOf(Codec.text().decode(body));
                }
            };

    /** How many zeros come first. */
    int OTHERS = 200;

    private static void pushTogether(Ring ring, String... texts) {
        ring.pushAll(Stream.of(texts).map(text -> Message.of(text).key("k")).toList());
    }

    /** Pushes what comes first, so that workers claim several at a time when they come to these. */
    private static void pushBehindOthers(Ring ring, String... texts) {
        pushTogether(
                ring,
                Stream.concat(Stream.generate(() -> "0").limit(OTHERS), Stream.of(texts))
                        .toArray(String[]::new));
    }

    private static WorkOptions one() {
        return WorkOptions.threads(1);
    }

    /** A stage whose retries are due at once. */
    private StageSpec atOnce() {
        return stage("main").backoff(Duration.ZERO, Duration.ZERO);
    }

    /** What the codec refuses fails by itself, with the words of the codec. */
    @Test
    default void whatIsNoValueFailsAlone() {
        List<String> told = new CopyOnWriteArrayList<>();
        Listener listener =
                new Listener() {
                    @Override
                    public void failed(
                            String ring, String stage, Delivery delivery, Throwable error) {
                        told.add(delivery.text());
                    }
                };
        ring("alone-bad", stage("main").tries(1));
        Ring ring = heardBy(listener).ring("alone-bad");
        pushBehindOthers(ring, "1", "bad", "2", "worse", "3");
        List<Integer> seen = new CopyOnWriteArrayList<>();
        try (Workers workers =
                ring.as(NUMBERS).workBatches("main", one(), batch -> seen.addAll(batch.values()))) {
            assertThat(ring.drain(Wait.LONGEST)).isTrue();
        }
        assertThat(seen.subList(OTHERS, seen.size())).containsExactly(1, 2, 3);
        assertThat(told).containsExactly("bad", "worse");
        assertThat(dead(ring)).containsExactly("bad", "worse");
        assertThat(ring.stage().deadLetters(1).get(0).error()).contains("NumberFormatException");
    }

    /** A handler that throws fails the values; the others keep the words of the codec. */
    @Test
    default void aHandlerThatThrowsFailsTheValues() {
        Ring ring = ring("throws", stage("main").tries(1));
        pushBehindOthers(ring, "1", "bad", "2", "3");
        Typed.BatchHandler<Integer> handler =
                batch -> {
                    for (Batch.Entry<Integer> entry : batch.entries()) {
                        if (entry.value() == 3) {
                            throw new IllegalStateException("by plan");
                        } else if (entry.value() == 2) {
                            batch.fail(entry, "said so");
                        } else {
                            batch.done(entry);
                        }
                    }
                };
        try (Workers workers = ring.as(NUMBERS).workBatches("main", one(), handler)) {
            assertThat(ring.drain(Wait.LONGEST)).isTrue();
        }
        assertThat(ring.stage().deadLetters(9))
                .extracting(DeadLetter::error)
                .satisfiesExactly(
                        bad -> assertThat(bad).contains("NumberFormatException"),
                        two -> assertThat(two).isEqualTo("said so"),
                        three -> assertThat(three).contains("by plan"));
    }

    /** In an ordered stage what is behind it waits until it is dead. */
    @Test
    default void inOrderWhatIsNoValueIsWaitedFor() {
        Ring ring = ring("ordered-bad", atOnce().ordered().tries(2));
        pushBehindOthers(ring, "bad", "1", "2", "worse", "worst", "3");
        List<Integer> seen = new CopyOnWriteArrayList<>();
        Typed<Integer> numbers = ring.as(NUMBERS);
        try (Workers workers =
                numbers.workBatches("main", one(), batch -> seen.addAll(batch.values()))) {
            Wait.until("the last is done", () -> seen.contains(3));
            assertThat(ring.drain(Wait.LONGEST)).isTrue();
        }
        assertThat(seen.subList(OTHERS, seen.size())).containsExactly(1, 2, 3);
        assertThat(dead(ring)).containsExactly("bad", "worse", "worst");
        assertThat(ring.info().stage("main").failed()).isEqualTo(6);
    }

    /** In a transaction of the handler's, too: its effects are there exactly once. */
    @Test
    default void inATransactionTheValuesAreDoneWithTheirEffects() throws Exception {
        needs(Capability.JOIN);
        Ring pool = ring("joined", atOnce().tries(3));
        Ring ordered = ring("joined-in-order", atOnce().ordered().tries(3));
        try (Connection connection = bed().connect();
                Statement sql = connection.createStatement()) {
            sql.execute("CREATE TABLE effect (n INTEGER)");
            connection.setAutoCommit(false);
            for (Ring ring : List.of(pool, ordered)) {
                pushBehindOthers(ring, "1", "bad", "2", "3", "worse");
                work(ring, connection, sql);
                assertThat(dead(ring)).containsExactly("bad", "worse");
            }
            try (ResultSet rows = sql.executeQuery("SELECT n FROM effect WHERE n > 0 ORDER BY n")) {
                StringBuilder effects = new StringBuilder();
                while (rows.next()) {
                    effects.append(rows.getInt(1));
                }
                assertThat(effects).hasToString("112233");
            }
        }
    }

    /** The first transaction is rolled back. */
    private void work(Ring ring, Connection connection, Statement sql) {
        Typed<Integer> numbers = ring.as(NUMBERS);
        AtomicInteger turn = new AtomicInteger();
        Typed.BatchHandler<Integer> handler =
                batch -> {
                    TypedJoined<Integer> joined = numbers.join(connection);
                    try {
                        say(joined, batch, turn.incrementAndGet(), sql);
                        connection.commit();
                    } catch (Exception e) {
                        connection.rollback();
                        throw e;
                    }
                };
        try (Workers workers = numbers.workBatches("main", one(), handler)) {
            Wait.until("two are dead", () -> ring.info().stage("main").dead() == 2);
            assertThat(ring.drain(Wait.LONGEST)).isTrue();
        }
    }

    private static void say(
            TypedJoined<Integer> joined, Batch<Integer> batch, int turn, Statement sql)
            throws SQLException {
        for (int number : batch.values()) {
            sql.execute("INSERT INTO effect VALUES (" + number + ")");
        }
        joined.done(batch);
        if (turn == 1) {
            throw new IllegalStateException("by plan");
        }
    }

    /** Of a pool, what was reported one by one does not stand in the way of the rest. */
    @Test
    default void someOfABatchAndThenTheRest() throws Exception {
        needs(Capability.JOIN);
        Ring ring = ring("some", stage("main").tries(1));
        pushBehindOthers(ring, "1", "bad", "2", "3");
        try (Connection connection = transaction()) {
            Typed<Integer> numbers = ring.as(NUMBERS);
            Typed.BatchHandler<Integer> handler =
                    batch -> {
                        TypedJoined<Integer> joined = numbers.join(connection);
                        for (Batch.Entry<Integer> entry : batch.entries()) {
                            if (entry.value() == 2) {
                                joined.fail(batch, entry, "said so");
                            }
                        }
                        if (batch.values().get(0) != 2) {
                            joined.done(batch, batch.entries().get(0));
                        }
                        connection.commit();
                        if (batch.entries().size() > 1) {
                            joined.done(batch);
                        }
                        connection.commit();
                    };
            try (Workers workers = numbers.workBatches("main", one(), handler)) {
                assertThat(ring.drain(Wait.LONGEST)).isTrue();
            }
        }
        assertThat(dead(ring)).containsExactly("bad", "2");
    }

    /** Values are pushed in a transaction, with a key or without, and under a key at once. */
    @Test
    default void valuesArePushedInATransaction() throws Exception {
        Ring ring =
                slipring()
                        .create(
                                RingSpec.named("pushed")
                                        .lanes(1)
                                        .messages(5)
                                        .graph(StageSpec.named("main")));
        Typed<Integer> numbers = ring.as(NUMBERS);
        numbers.pushAsync("k", 0).toCompletableFuture().join();
        assertThat(numbers.ring()).isSameAs(ring);
        try (Claim claim = claim(ring.stage(), 1)) {
            assertThat(claim.deliveries().get(0).key()).isEqualTo("k");
            assertThat(numbers.valueIfAny(claim.deliveries().get(0))).contains(0);
            claim.done();
        }
        numbers.pushAsync(0).toCompletableFuture().join();
        needs(Capability.JOIN);
        try (Connection connection = transaction()) {
            TypedJoined<Integer> joined = numbers.join(connection);
            joined.push(1);
            joined.push("k", 2);
            joined.pushAll(List.of(3, 4));
            connection.commit();
            assertThatThrownBy(() -> joined.push(5)).isInstanceOf(RingFull.class);
            connection.rollback();
        }
        assertThat(takeAll(ring.stage())).containsExactly("0", "1", "2", "3", "4");
    }

    /** What is no value is told from what is one. */
    @Test
    default void aDeadLetterMayHaveNoValue() {
        Ring ring = ring("letters", stage("main").tries(1));
        pushTogether(ring, "7", "bad");
        ring.stage()
                .drain(
                        delivery -> {
                            throw new IllegalStateException("by plan");
                        });
        Typed<Integer> numbers = ring.as(NUMBERS);
        assertThat(ring.stage().deadLetters(9))
                .extracting(letter -> numbers.valueIfAny(letter.delivery()).orElse(-1))
                .containsExactly(7, -1);
    }

    private static List<String> dead(Ring ring) {
        return ring.stage().deadLetters(9).stream().map(it -> it.delivery().text()).toList();
    }
}
