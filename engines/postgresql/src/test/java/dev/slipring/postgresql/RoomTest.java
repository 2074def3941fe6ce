// SPDX-License-Identifier: Apache-2.0
package dev.slipring.postgresql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.slipring.Claim;
import dev.slipring.Message;
import dev.slipring.Options;
import dev.slipring.Ring;
import dev.slipring.RingFull;
import dev.slipring.Slipring;
import dev.slipring.graph.RingSpec;
import dev.slipring.graph.StageSpec;
import dev.slipring.graph.Start;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;

/** The capacity of a ring holds for all its lanes together, whoever pushes at the same time. */
@Timeout(600)
class RoomTest {

    private static final int LANES = 8;
    private static final int CAPACITY = 1_000;
    private static final String FREE =
            "SELECT (slipring.room(r, false)).messages FROM slipring.ring r";

    @RegisterExtension private final NewDatabase database = new NewDatabase();

    private Slipring slipring;
    private Ring ring;

    @BeforeEach
    void open() {
        slipring = Slipring.open(Options.url(database.url()).pushTimeout(Duration.ZERO));
        ring = slipring.create(RingSpec.named("r").lanes(LANES).messages(CAPACITY));
    }

    @AfterEach
    void close() {
        slipring.close();
    }

    private static Message[] messages(int count, String key) {
        Message[] messages = new Message[count];
        for (int i = 0; i < count; i++) {
            messages[i] = key == null ? Message.of("m") : Message.of("m").key(key);
        }
        return messages;
    }

    private void takeAll() {
        Claim claim = ring.stage().claim(CAPACITY, Duration.ZERO);
        while (!claim.isEmpty()) {
            claim.done();
            claim = ring.stage().claim(CAPACITY, Duration.ZERO);
        }
    }

    /**
     * Waits for all pushers, then pushes until the ring is full or holds too much; returns how many
     * messages were stored.
     */
    private int push(CyclicBarrier start, int pusher) throws Exception {
        try (Connection connection = database.connect()) {
            connection.setAutoCommit(false);
            int pushed = 0;
            start.await();
            while (pushed <= CAPACITY) {
                try {
                    ring.join(connection).push(messages(9 + pusher, "key " + pusher));
                    connection.commit();
                    pushed += 9 + pusher;
                } catch (RingFull full) {
                    connection.rollback();
                    break;
                }
            }
            return pushed;
        }
    }

    /** A stage goes back to the beginning of the slot in which it is: the ring holds more then. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void aStageThatBeginsInFrontOfTheGateLeavesNoCreditBehindIt(boolean rewinds) {
        int most = 19;
        Ring small = slipring.create(RingSpec.named("small").lanes(1).messages(most));
        small.pushAll(List.of(messages(7, null)));
        small.pushAll(List.of(messages(7, null)));
        small.stage().claim(5, Duration.ZERO).done();
        // There is room left, for which the lane gets credit.
        small.pushAll(List.of(messages(3, null)));
        if (rewinds) {
            small.stage().rewind(Start.OLDEST);
        } else {
            small.addStage(StageSpec.named("late"), Set.of(), Start.OLDEST);
        }
        assertThat(small.info().heldMessages()).isEqualTo(17);
        assertThatThrownBy(() -> small.pushAll(List.of(messages(3, null))))
                .isInstanceOf(RingFull.class);
        small.pushAll(List.of(messages(2, null)));
        assertThat(small.info().heldMessages()).isEqualTo(most);
    }

    @Test
    void pushesToSeveralLanesAtOneTimeStayWithinTheCapacity() throws Exception {
        ExecutorService pushers = Executors.newFixedThreadPool(LANES);
        try {
            for (int round = 0; round < 8; round++) {
                CyclicBarrier start = new CyclicBarrier(LANES);
                List<Future<Integer>> all = new ArrayList<>();
                for (int i = 0; i < LANES; i++) {
                    int pusher = i;
                    all.add(pushers.submit(() -> push(start, pusher)));
                }
                int pushed = 0;
                for (Future<Integer> one : all) {
                    pushed += one.get();
                }
                assertThat(pushed).isLessThanOrEqualTo(CAPACITY);
                assertThat(ring.info().heldMessages()).isEqualTo(pushed);
                takeAll();
            }
        } finally {
            pushers.shutdownNow();
        }
    }

    @Test
    void aLaneThatGoesOnAloneGetsAllTheRoom() {
        // Other lanes have credit that they never use.
        for (int lane = 0; lane < 40; lane++) {
            ring.push(Message.of("m").key("key " + lane));
        }
        for (int i = 40; i < CAPACITY; i++) {
            ring.push(Message.of("m").key("key"));
        }
        for (int lane = 0; lane < 40; lane++) {
            Message more = Message.of("m").key("key " + lane);
            assertThatThrownBy(() -> ring.push(more)).isInstanceOf(RingFull.class);
        }
        assertThat(ring.info().heldMessages()).isEqualTo(CAPACITY);
    }

    @Test
    void aSmallerCapacityHoldsAtOnce() {
        ring.push(Message.of("m").key("key"));
        ring.resize(10, 1 << 20);
        for (int i = 1; i < 10; i++) {
            ring.push(Message.of("m").key("key"));
        }
        assertThatThrownBy(() -> ring.push(Message.of("m").key("key")))
                .isInstanceOf(RingFull.class);
    }

    @Test
    void bytesAreCountedWhereMessagesAreLarge() {
        ring.resize(CAPACITY, 1 << 20);
        byte[] large = new byte[100_000];
        for (int i = 0; i < 10; i++) {
            ring.push(Message.of(large).key("key " + i));
        }
        assertThatThrownBy(() -> ring.push(Message.of(large).key("key")))
                .isInstanceOf(RingFull.class);
        ring.push(Message.of("m").key("key"));
    }

    @Test
    void whatWasRolledBackTakesNoRoomAndLeavesNoGap() throws SQLException {
        try (Connection connection = database.connect()) {
            connection.setAutoCommit(false);
            ring.join(connection).push(messages(CAPACITY, "key"));
            connection.rollback();
        }
        ring.pushAll(List.of(messages(CAPACITY, null)));
        assertThat(ring.info().heldMessages()).isEqualTo(CAPACITY);
        takeAll();
        ring.push(Message.of("m").key("key"));
        Claim claim = ring.stage().claim(1, Duration.ZERO);
        // The message without a key may be in the same lane.
        assertThat(claim.deliveries().get(0).position()).isIn(0L, (long) CAPACITY);
        claim.done();
    }

    @Test
    void whatWasRolledBackTakesNoRoomInItsOwnLane() throws SQLException {
        try (Connection connection = database.connect()) {
            connection.setAutoCommit(false);
            ring.join(connection).push(messages(CAPACITY, "key"));
            connection.rollback();
        }
        ring.pushAll(List.of(messages(CAPACITY, "key")));
        assertThat(ring.info().heldMessages()).isEqualTo(CAPACITY);
    }

    @Test
    void transactionsBesideEachOtherTakeDifferentLanes() throws SQLException {
        List<Connection> open = new ArrayList<>();
        try {
            // As many pushes as there are lanes, of which none waits for another; each twice, in
            // one lane.
            for (int i = 0; i < LANES; i++) {
                Connection connection = database.connect();
                open.add(connection);
                connection.setAutoCommit(false);
                ring.join(connection).push(Message.of(i + " first"));
                ring.join(connection).push(Message.of(i + " second"));
            }
            for (Connection connection : open) {
                connection.commit();
            }
        } finally {
            for (Connection connection : open) {
                connection.close();
            }
        }
        assertThat(ring.info().lanes()).allSatisfy(lane -> assertThat(lane.head()).isEqualTo(2));
    }

    /** A transaction that cannot see what was rolled back finds that room free soon after. */
    @Test
    void whatWasRolledBackIsNoRoomForEver() throws SQLException {
        Message[] most = messages(CAPACITY * 6 / 10, "key");
        try (Connection connection = database.connect()) {
            connection.setAutoCommit(false);
            connection.setTransactionIsolation(Connection.TRANSACTION_REPEATABLE_READ);
            ring.join(connection).push(most);
            connection.rollback();
            boolean pushed = false;
            long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(30);
            while (!pushed) {
                assertThat(System.nanoTime()).as("there is room").isLessThan(deadline);
                try {
                    ring.join(connection).push(most);
                    pushed = true;
                } catch (RingFull full) {
                    connection.rollback();
                }
            }
            connection.commit();
        }
        assertThat(ring.info().heldMessages()).isEqualTo(most.length);
    }

    /**
     * The room of rolled-back pushes counts as held in a transaction with an old snapshot; claims
     * in SQL free it.
     */
    @Test
    void claimsInSqlTakeBackWhatWasRolledBack() throws SQLException {
        String push = "SELECT slipring.push_all('r', array_fill('m'::text, ARRAY[300]))";
        try (Connection connection = database.connect()) {
            connection.setAutoCommit(false);
            connection.setTransactionIsolation(Connection.TRANSACTION_REPEATABLE_READ);
            for (int i = 0; i < 3; i++) {
                run(connection, push);
                connection.rollback();
            }
            assertThatThrownBy(() -> run(connection, push)).hasMessageContaining("is full");
            connection.rollback();
            // Each claim looks only at random.
            for (int i = 0; i < 1_000 && database.number(FREE) < CAPACITY; i++) {
                database.run("SELECT slipring.claim('r')");
            }
            run(connection, push);
            connection.commit();
        }
        assertThat(ring.info().heldMessages()).isEqualTo(300);
    }

    private static void run(Connection connection, String sql) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }
}
