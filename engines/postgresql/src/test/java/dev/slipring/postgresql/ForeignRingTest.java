// SPDX-License-Identifier: Apache-2.0
package dev.slipring.postgresql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.slipring.Claim;
import dev.slipring.Message;
import dev.slipring.NoSuchRing;
import dev.slipring.Ring;
import dev.slipring.Slipring;
import dev.slipring.SlipringException;
import dev.slipring.StoreFailed;
import dev.slipring.graph.RingSpec;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;

/** A push to a ring never goes into another ring, whatever happened to the database. */
class ForeignRingTest {

    @RegisterExtension private final NewDatabase database = new NewDatabase();

    /** The error for a connection to another database. */
    private String apart(String elsewhere) {
        return "the connection is to "
                + PostgresUrl.parse(elsewhere).place()
                + ", the ring 'orders' is in "
                + PostgresUrl.parse(database.url()).place();
    }

    /** The caller's connection is to a database without a schema of Slipring. */
    @Test
    void aCallerIsWhereNoRingIs() throws SQLException {
        Ring orders = database.slipring().create(RingSpec.named("orders"));
        String elsewhere = Server.newDatabase();
        try (Connection connection = Server.connect(elsewhere)) {
            connection.setAutoCommit(false);
            assertThatThrownBy(() -> orders.join(connection).push(Message.of("order 1")))
                    .isInstanceOf(StoreFailed.class)
                    .hasMessageContaining(apart(elsewhere));
        } finally {
            Server.drop(elsewhere);
        }
        orders.push("order 2");
        assertThat(orders.info().pushed()).isEqualTo(1);
    }

    /** The caller's connection is to a database with a ring of another name. */
    @Test
    void aCallerIsElsewhere() throws SQLException {
        Ring orders = database.slipring().create(RingSpec.named("orders"));
        orders.push("order 0");
        String elsewhere = Server.newDatabase();
        try (Slipring other = Slipring.open(elsewhere);
                Connection connection = Server.connect(elsewhere)) {
            Ring audit = other.create(RingSpec.named("audit"));
            connection.setAutoCommit(false);
            assertThatThrownBy(() -> orders.join(connection).push(Message.of("order 1")))
                    .isInstanceOf(NoSuchRing.class)
                    .hasMessageContaining(apart(elsewhere));
            connection.rollback();
            assertThat(audit.info().pushed()).isZero();
        } finally {
            Server.drop(elsewhere);
        }
        orders.push("order 2");
        assertThat(orders.info().pushed()).isEqualTo(2);
    }

    /** The caller's connection is to a database with a ring of the same name. */
    @ParameterizedTest
    @ValueSource(ints = {1, 5_000})
    void aCallerHasTheRingElsewhere(int messages) throws SQLException {
        database.slipring().create(RingSpec.named("orders").lanes(8));
        Message[] orders = new Message[messages];
        Arrays.setAll(orders, i -> Message.of("order " + i).key("customer " + i));
        String elsewhere = Server.newDatabase();
        try (Slipring other = Slipring.open(elsewhere);
                Slipring fresh = Slipring.open(database.url());
                Connection connection = Server.connect(elsewhere)) {
            Ring there = other.create(RingSpec.named("orders").lanes(8));
            Ring ring = fresh.ring("orders");
            connection.setAutoCommit(false);
            assertThatThrownBy(() -> ring.join(connection).push(orders))
                    .isInstanceOf(NoSuchRing.class)
                    .hasMessageContaining(apart(elsewhere));
            connection.commit();
            assertThat(there.info().pushed()).isZero();
            ring.pushAll(List.of(orders));
            assertThat(ring.info().pushed()).isEqualTo(messages);
        } finally {
            Server.drop(elsewhere);
        }
    }

    /**
     * A word in a transaction of another database does not count here, whatever that transaction
     * sees.
     */
    @ParameterizedTest
    @ValueSource(
            ints = {Connection.TRANSACTION_READ_COMMITTED, Connection.TRANSACTION_REPEATABLE_READ})
    void aWordIsSaidElsewhere(int isolation) throws SQLException {
        Ring ring = database.slipring().create(RingSpec.named("orders").lanes(1));
        ring.push("order 0");
        String elsewhere = Server.newDatabase();
        try (Slipring other = Slipring.open(elsewhere);
                Connection connection = Server.connect(elsewhere)) {
            other.create(RingSpec.named("orders").lanes(1));
            connection.setAutoCommit(false);
            connection.setTransactionIsolation(isolation);
            Claim claim = ring.stage().claim(1, Duration.ZERO);
            assertThatThrownBy(() -> ring.join(connection).done(claim))
                    .isInstanceOf(SlipringException.class)
                    .hasMessageContaining(apart(elsewhere));
            connection.commit();
            assertThat(ring.info().stages().get(0).inHand()).hasSize(1);
            claim.done();
        } finally {
            Server.drop(elsewhere);
        }
    }

    @Test
    void theSchemaWasMadeAnew() throws SQLException {
        Ring orders = database.slipring().create(RingSpec.named("orders"));
        orders.push("order 0");
        database.run("DROP SCHEMA slipring CASCADE");
        try (Slipring other = Slipring.open(database.url())) {
            Ring audit = other.create(RingSpec.named("audit"));
            assertThatThrownBy(() -> orders.push("order 1")).isInstanceOf(NoSuchRing.class);
            Ring anew = other.create(RingSpec.named("orders"));
            database.slipring().ring("orders").push("order 2");
            assertThat(anew.info().pushed()).isEqualTo(1);
            assertThat(audit.info().pushed()).isZero();
        }
    }
}
