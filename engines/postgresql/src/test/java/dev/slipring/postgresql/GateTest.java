// SPDX-License-Identifier: Apache-2.0
package dev.slipring.postgresql;

import static org.assertj.core.api.Assertions.assertThat;

import dev.slipring.Claim;
import dev.slipring.Delivery;
import dev.slipring.Message;
import dev.slipring.Options;
import dev.slipring.Ring;
import dev.slipring.Slipring;
import dev.slipring.graph.RingSpec;
import dev.slipring.graph.StageSpec;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/**
 * The gate of a lane in which two stages report done at the same time, so that neither sees the
 * other's done.
 */
@Timeout(120)
class GateTest {

    private static final int CAPACITY = 4;

    @RegisterExtension private final NewDatabase database = new NewDatabase();

    private Slipring slipring;
    private Ring ring;

    @BeforeEach
    void leaveTheGateBehind() throws SQLException {
        slipring = Slipring.open(Options.url(database.url()).pushTimeout(Duration.ZERO));
        ring =
                slipring.create(
                        RingSpec.named("r")
                                .lanes(1)
                                .messages(CAPACITY)
                                .graph(
                                        List.of(StageSpec.named("a"), StageSpec.named("b")),
                                        Map.of()));
        for (int i = 0; i < CAPACITY; i++) {
            ring.push("before");
        }
        Claim ofB = ring.stage("b").claim(CAPACITY, Duration.ZERO);
        assertThat(ofB.deliveries()).hasSize(CAPACITY);
        String word =
                "SELECT (slipring.settle('r', 'a', 0, h.epoch, false, '{}', '{}', '{}', '{}',"
                        + " 'done')).status FROM slipring.strand_now({ring}, 'a', 0) s,"
                        + " unnest(s.hands) h";
        assertThat(ring.stage("a").claim(CAPACITY, Duration.ZERO).deliveries()).hasSize(CAPACITY);
        try (Connection other = database.connect();
                Statement statement = other.createStatement()) {
            other.setAutoCommit(false);
            try (ResultSet said = statement.executeQuery(database.of(word))) {
                said.next();
                assertThat(said.getString(1)).isEqualTo("ok");
            }
            ofB.done();
            other.commit();
        }
        assertThat(database.number("SELECT pg_sequence_last_value('slipring.gate_{ring}_0')"))
                .as("the gate, behind both stages")
                .isZero();
    }

    @AfterEach
    void close() {
        slipring.close();
    }

    private List<String> next(String stage) {
        Claim claim = ring.stage(stage).claim(CAPACITY, Duration.ofSeconds(5));
        List<String> texts = claim.deliveries().stream().map(Delivery::text).toList();
        claim.done();
        return texts;
    }

    @Test
    void aRingThatNobodyHoldsHasRoom() {
        for (int i = 0; i < CAPACITY; i++) {
            ring.push("after");
        }
        assertThat(next("a")).hasSize(CAPACITY);
    }

    @Test
    void aTransactionThatSeesNothingNewFindsTheRoomToo() throws SQLException {
        try (Connection caller = database.connect()) {
            caller.setAutoCommit(false);
            caller.setTransactionIsolation(Connection.TRANSACTION_REPEATABLE_READ);
            ring.join(caller).push(Message.of("after"));
            caller.commit();
        }
        assertThat(next("a")).containsExactly("after");
    }

    @Test
    void aLaneWithoutSlotsGoesOnWhereItEnded() throws SQLException {
        // So that no push finds the ring full and looks at the gate again.
        database.run("UPDATE slipring.ring SET messages = 100");
        database.nextSegment();
        database.run("SELECT slipring.tidy('r')");
        assertThat(database.number("SELECT count(*) FROM slipring.slot_{ring}_0")).isZero();
        ring.push("after");
        assertThat(next("a")).containsExactly("after");
        assertThat(next("b")).containsExactly("after");
        for (int i = 0; i < CAPACITY; i++) {
            ring.push("again");
        }
        assertThat(next("b")).hasSize(CAPACITY);
        assertThat(next("a")).hasSize(CAPACITY);
        assertThat(database.heldBytes()).isZero();
    }
}
