// SPDX-License-Identifier: Apache-2.0
package dev.slipring.kit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.slipring.Claim;
import dev.slipring.Fenced;
import dev.slipring.Joined;
import dev.slipring.Message;
import dev.slipring.NoSuchRing;
import dev.slipring.Ring;
import dev.slipring.RingFull;
import dev.slipring.Slipring;
import dev.slipring.StoreFailed;
import dev.slipring.engine.Capability;
import dev.slipring.engine.ClaimRequest;
import dev.slipring.engine.Slot;
import dev.slipring.engine.SlotCodec;
import dev.slipring.engine.Store;
import dev.slipring.graph.NoSuchStage;
import dev.slipring.graph.RingSpec;
import dev.slipring.graph.Start;

import org.junit.jupiter.api.Test;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CyclicBarrier;
import java.util.function.IntFunction;
import java.util.stream.IntStream;

/**
 * Two that do something at the same moment, in two open stores where several processes may use the
 * store. Where transactions run side by side, what one of them read may be old by the time when it
 * has what it waited for.
 */
public interface AtOnce extends Promise {

    /** Does work for each number below a count, all at the same moment; returns what came of it. */
    private static <T> List<T> atOnce(int count, IntFunction<T> work) {
        CyclicBarrier begin = new CyclicBarrier(count);
        return IntStream.range(0, count)
                .mapToObj(
                        i ->
                                CompletableFuture.supplyAsync(
                                        () -> {
                                            await(begin);
                                            return work.apply(i);
                                        },
                                        task -> new Thread(task, "kit-at-once").start()))
                .toList()
                .stream()
                .map(CompletableFuture::join)
                .toList();
    }

    private static void await(CyclicBarrier begin) {
        try {
            begin.await();
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }

    /** Another open store; the same where there can be no other. */
    private Slipring another() {
        boolean shared = slipring().store().capabilities().contains(Capability.SHARED);
        return shared ? bed().open() : slipring();
    }

    private static List<Slot> slot(int lane, long producer, long number, Message message) {
        byte[] body = SlotCodec.encode(List.of(message));
        return List.of(new Slot(lane, producer, number, 1, body));
    }

    /**
     * A push that is repeated while the first is still under way, as its connection was lost, is in
     * once, although a message without a key may go to another lane.
     */
    @Test
    default void aNumberIsPushedOnceAlsoAtTheSameMoment() {
        int rounds = 40;
        Ring ring = slipring().create(RingSpec.named("repeated").lanes(2).graph(stage("main")));
        List<Store> stores = List.of(slipring().store(), another().store());
        for (int round = 0; round < rounds; round++) {
            // Every other time the store has never heard of the producer.
            long producer = 7 + round / 2;
            long number = 1 + round % 2;
            Message message = Message.of("" + round);
            atOnce(
                    2,
                    i -> {
                        stores.get(i).push("repeated", slot(i, producer, number, message));
                        return i;
                    });
        }
        assertThat(takeAll(ring.stage())).containsExactlyInAnyOrderElementsOf(numbers(rounds));
    }

    /** Pushes into different lanes at the same moment hold no more than the ring may. */
    @Test
    default void aRingIsNotOverfilledByManyAtOnce() {
        Ring ring =
                slipring()
                        .create(RingSpec.named("tight").lanes(4).messages(6).graph(stage("main")));
        List<Store> stores = List.of(slipring().store(), another().store());
        for (int round = 0; round < 8; round++) {
            push(ring, 5);
            List<Boolean> pushed =
                    atOnce(4, i -> fits(stores.get(i % 2), i, to(i, 4, "one of the four")));
            int fitted = (int) pushed.stream().filter(fits -> fits).count();
            assertThat(fitted).as("round %s", round).isLessThanOrEqualTo(1);
            assertThat(takeAll(ring.stage())).hasSize(5 + fitted);
        }
    }

    private static boolean fits(Store store, int lane, Message message) {
        try {
            store.push("tight", slot(lane, 0, 0, message));
            return true;
        } catch (RingFull full) {
            return false;
        }
    }

    /** Of changes of a ring at the same moment none is lost. */
    @Test
    default void changesOfARingAtTheSameMomentAreAllKept() {
        Ring ring = ring("changed");
        List<Ring> rings = List.of(ring, another().ring("changed"));
        for (int round = 0; round < 6; round++) {
            String name = "round-" + round + "-";
            atOnce(
                    2,
                    i -> {
                        rings.get(i).addStage(stage(name + i), Set.of("main"), Start.OLDEST);
                        return i;
                    });
        }
        assertThat(ring.info().stages()).hasSize(13);
        assertThat(ring.check()).isEmpty();
    }

    /** Who is at work on a stage that leaves, or in a ring that does, is told just that. */
    @Test
    default void whoMeetsAChangeIsToldWhatChanged() {
        Store store = slipring().store();
        Slipring other = another();
        for (int round = 0; round < 4; round++) {
            Ring ring = ring("met", stage("a"));
            ring.addStage(stage("b"), Set.of("a"), Start.OLDEST);
            push(ring, 5);
            takeAll(ring.stage("a"));
            boolean drops = round % 2 > 0;
            List<Throwable> told =
                    atOnce(
                            3,
                            i ->
                                    i == 0
                                            ? change(other, drops)
                                            : i == 1 ? claims(store) : pushes(store, drops));
            assertThat(told.get(1))
                    .isInstanceOfAny(NoSuchStage.class, NoSuchRing.class, Fenced.class);
            if (drops) {
                assertThat(told.get(2)).isInstanceOf(NoSuchRing.class);
            } else {
                assertThat(told.get(2)).isNull();
                assertThat(ring.check()).isEmpty();
                other.drop("met");
            }
        }
    }

    private static Throwable change(Slipring other, boolean drops) {
        if (drops) {
            other.drop("met");
        } else {
            other.ring("met").stage("b").remove();
        }
        return null;
    }

    private static Throwable claims(Store store) {
        try {
            while (true) {
                store.claim("met", new ClaimRequest("b", 1, "worker"));
            }
        } catch (RuntimeException e) {
            return e;
        }
    }

    private static Throwable pushes(Store store, boolean drops) {
        try {
            for (int i = 0; drops || i < 20; i++) {
                store.push("met", slot(0, 0, 0, Message.of("more")));
            }
            return null;
        } catch (RuntimeException e) {
            return e;
        }
    }

    /**
     * A caller's transaction that has seen the database before somebody else pushed: what it pushes
     * goes behind that, at every isolation level that the database has, or it is refused.
     */
    @Test
    default void aCallerWithAnOldViewSpoilsNothing() throws Exception {
        needs(Capability.JOIN);
        try (Connection connection = bed().connect();
                Statement sql = connection.createStatement()) {
            sql.execute("CREATE TABLE effect (n INTEGER)");
            for (int level :
                    List.of(
                            Connection.TRANSACTION_READ_COMMITTED,
                            Connection.TRANSACTION_REPEATABLE_READ,
                            Connection.TRANSACTION_SERIALIZABLE)) {
                if (connection.getMetaData().supportsTransactionIsolationLevel(level)) {
                    connection.setTransactionIsolation(level);
                    connection.setAutoCommit(false);
                    pushBehind(connection, sql, "old-" + level);
                    connection.setAutoCommit(true);
                }
            }
        }
    }

    private void pushBehind(Connection connection, Statement sql, String name) throws SQLException {
        Ring ring = slipring().create(RingSpec.named(name).lanes(1).graph(stage("main")));
        ring.push("0");
        Claim claim = claim(ring.stage(), 1);
        sql.executeQuery("SELECT n FROM effect").close();
        ring.push("1");
        Joined joined = ring.join(connection);
        try {
            pushAndDone(joined, claim);
            connection.commit();
        } catch (StoreFailed | SQLException refused) {
            connection.rollback();
            pushAndDone(joined, claim);
            connection.commit();
        }
        assertThat(takeAll(ring.stage())).as(name).containsExactly("1", "2");
        assertThat(ring.info().heldMessages()).as(name).isZero();
        assertThat(ring.check()).as(name).isEmpty();
    }

    private static void pushAndDone(Joined joined, Claim claim) {
        joined.push(Message.of("2"));
        joined.done(claim);
    }
}
