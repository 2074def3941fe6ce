// SPDX-License-Identifier: Apache-2.0
package dev.slipring.postgresql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.slipring.Message;
import dev.slipring.NoSuchRing;
import dev.slipring.Ring;
import dev.slipring.Slipring;
import dev.slipring.SlipringException;
import dev.slipring.graph.RingSpec;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

import java.sql.Connection;
import java.sql.SQLException;

/** What is pushed to a ring never stands in another, whatever became of the database. */
class ForeignRingTest {

    @RegisterExtension private final NewDatabase database = new NewDatabase();

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
                    .isInstanceOf(SlipringException.class);
            connection.rollback();
            assertThat(audit.info().pushed()).isZero();
        } finally {
            Server.drop(elsewhere);
        }
        orders.push("order 2");
        assertThat(orders.info().pushed()).isEqualTo(2);
    }

    /** What is found there is not taken for what is here. */
    @Test
    void aCallerHasFoundTheRingElsewhere() throws SQLException {
        Ring orders = database.slipring().create(RingSpec.named("orders"));
        Ring audit = database.slipring().create(RingSpec.named("audit"));
        String elsewhere = Server.newDatabase();
        try (Slipring other = Slipring.open(elsewhere);
                Slipring fresh = Slipring.open(database.url());
                Connection connection = Server.connect(elsewhere)) {
            other.create(RingSpec.named("audit"));
            other.create(RingSpec.named("orders"));
            connection.setAutoCommit(false);
            fresh.ring("orders").join(connection).push(Message.of("order 0"));
            connection.rollback();
            fresh.ring("orders").push("order 1");
        } finally {
            Server.drop(elsewhere);
        }
        assertThat(orders.info().pushed()).isEqualTo(1);
        assertThat(audit.info().pushed()).isZero();
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
