// SPDX-License-Identifier: Apache-2.0
package dev.slipring.postgresql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.slipring.Joined;
import dev.slipring.Message;
import dev.slipring.NoSuchRing;
import dev.slipring.Ring;
import dev.slipring.Slipring;
import dev.slipring.Stage;
import dev.slipring.StoreFailed;
import dev.slipring.engine.Slot;
import dev.slipring.engine.SlotCodec;
import dev.slipring.graph.RingSpec;
import dev.slipring.kit.Keys;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;

/** A ring that another process drops and makes anew. */
class MadeAnewTest {

    @RegisterExtension private final NewDatabase database = new NewDatabase();

    @Test
    void aLaneThatIsNotThereAnyMoreIsToldInWords() {
        Ring old = database.ring(8);
        old.push("of the old one");
        try (Slipring other = Slipring.open(database.url())) {
            other.drop("r");
            Ring anew = other.create(RingSpec.named("r").lanes(2));
            Message lost = Message.of("x").key(Keys.of(5, 8));
            Message found = Message.of("y").key(Keys.of(1, 8));
            for (List<Message> push : List.of(List.of(lost), List.of(found, lost))) {
                assertThatThrownBy(() -> old.pushAll(push))
                        .isInstanceOf(NoSuchRing.class)
                        .hasMessage(
                                "no lane 5 in a ring of 2; it was dropped and made anew:"
                                        + " open it again");
            }
            assertThat(anew.info().pushed()).isZero();
            database.slipring().ring("r").pushAll(List.of(lost, found));
            assertThat(anew.info().pushed()).isEqualTo(2);
        }
    }

    /**
     * The caller's first push to the new ring fails, and what is known of the old ring is forgotten
     * then.
     */
    @Test
    void aCallersNextTransactionPushesToTheNewOne() throws SQLException {
        Slipring slipring = database.slipring();
        Ring ring = slipring.create(RingSpec.named("r"));
        try (Connection caller = database.connect()) {
            caller.setAutoCommit(false);
            ring.join(caller).push(Message.of("to the old one"));
            caller.commit();
            try (Slipring other = Slipring.open(database.url())) {
                other.drop("r");
                other.create(RingSpec.named("r"));
            }
            assertThatThrownBy(() -> ring.join(caller).push(Message.of("to neither")))
                    .isInstanceOf(NoSuchRing.class)
                    .hasMessageContaining("ring 'r' was dropped")
                    .hasMessageContaining("roll back and begin again");
            caller.rollback();
            ring.join(caller).push(Message.of("to the new one"));
            caller.commit();
        }
        assertThat(slipring.ring("r").info().pushed()).isEqualTo(1);
    }

    /**
     * The word of a worker that claimed in a lane that no longer exists is late, like any other.
     */
    @Test
    void aWordOnALaneThatIsGoneIsLate() throws SQLException {
        database.ring(2);
        try (Statement statement = database.other().createStatement();
                ResultSet row =
                        statement.executeQuery(
                                database.of(
                                        "SELECT status FROM slipring.take_{ring}('main', 1, 'w', 5,"
                                                + " 4, 0, true)"))) {
            assertThat(row.next()).isTrue();
            assertThat(row.getString(1)).isEqualTo("fenced");
        }
    }

    /** Calls that wait for the tables of the ring find that they are gone. */
    @ParameterizedTest
    @ValueSource(strings = {"claim", "push", "pushAll", "survey"})
    void aCallOnItsWayFindsThatTheRingIsGone(String what) throws SQLException {
        Ring ring = database.ring(2);
        Stage stage = ring.stage();
        Map<String, Runnable> calls =
                Map.of(
                        "claim", () -> stage.claim(1, Duration.ZERO).done(),
                        "push", () -> ring.push("x"),
                        "pushAll",
                                () ->
                                        ring.pushAll(
                                                List.of(
                                                        Message.of("x").key(Keys.of(0, 2)),
                                                        Message.of("x").key(Keys.of(1, 2)))),
                        "survey", ring::info);
        // The session knows the tables by then.
        for (int i = 0; i < 10; i++) {
            ring.push("x");
            calls.get(what).run();
        }
        database.other().setAutoCommit(false);
        try (Statement drop = database.other().createStatement()) {
            drop.execute(database.of("SELECT slipring.drop_ring({ring})"));
            CompletableFuture<Void> call = CompletableFuture.runAsync(calls.get(what));
            database.awaitWaiting(1, "locktype = 'relation'", call);
            database.other().commit();
            assertThatThrownBy(call::join).hasCauseInstanceOf(NoSuchRing.class);
        }
    }

    /** So does a push that waits for its lane, in a session that does not know the tables yet. */
    @Test
    void aPushThatWaitsForItsLaneFindsThatTheRingIsGone() throws SQLException {
        database.ring(1);
        Slot slot = new Slot(0, 0, 0, 1, SlotCodec.encode(List.of(Message.of("x"))));
        try (Slipring pushing = Slipring.open(database.url());
                Connection caller = database.connect();
                Statement lane = database.other().createStatement()) {
            caller.setAutoCommit(false);
            Joined joined = pushing.ring("r").join(caller);
            lane.execute(database.of("SELECT pg_advisory_lock(slipring.lane_lock({ring}, 0))"));
            CompletableFuture<Void> push =
                    CompletableFuture.runAsync(() -> pushing.store().push("r", List.of(slot)));
            CompletableFuture<Void> callersPush =
                    CompletableFuture.runAsync(() -> joined.push(Message.of("x").key("k")));
            database.awaitWaiting(2, "locktype = 'advisory'", push);
            database.slipring().drop("r");
            lane.execute("SELECT pg_advisory_unlock_all()");
            assertThatThrownBy(push::join).hasCauseInstanceOf(NoSuchRing.class);
            assertThatThrownBy(callersPush::join)
                    .cause()
                    .isInstanceOf(StoreFailed.class)
                    .hasMessageContaining("a ring was dropped meanwhile");
        }
    }
}
