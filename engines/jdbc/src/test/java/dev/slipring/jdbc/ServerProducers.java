// SPDX-License-Identifier: Apache-2.0
package dev.slipring.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import dev.slipring.Message;
import dev.slipring.Slipring;
import dev.slipring.engine.Slot;
import dev.slipring.engine.SlotCodec;
import dev.slipring.graph.RingSpec;
import dev.slipring.kit.server.RunningServer;
import dev.slipring.kit.server.ServerFiles;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;

/** Producers that have not pushed for a day are forgotten, and no push waits for that. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Timeout(60)
abstract class ServerProducers {

    private static final String MAKE_OLD =
            "UPDATE slipring_producer SET seen_at = seen_at - 2 * 24 * 60 * 60 * 1000"
                    + " WHERE producer > 1000";

    @RegisterExtension private final RunningServer server;

    ServerProducers(ServerFiles files) {
        server = new RunningServer(files);
    }

    /** Pushes as a new producer does. */
    private static void push(Slipring slipring, String ring, long producer) {
        byte[] body = SlotCodec.encode(List.of(Message.of("x")));
        slipring.store().push(ring, List.of(new Slot(0, producer, 1, 1, body)));
    }

    private static long count(Statement sql, String where) throws SQLException {
        String query = "SELECT COUNT(*) FROM slipring_producer WHERE " + where;
        try (ResultSet row = sql.executeQuery(query)) {
            row.next();
            return row.getLong(1);
        }
    }

    @Test
    void whoHasNotPushedForADayIsForgotten() throws Exception {
        String database = server.get().newDatabase();
        try (Slipring slipring = Slipring.open(server.get().url(database));
                Connection connection = server.get().connect(database);
                Statement sql = connection.createStatement()) {
            slipring.create(RingSpec.named("one"));
            slipring.create(RingSpec.named("other"));
            push(slipring, "other", 1_001);
            for (int producer = 1_001; producer <= 1_150; producer++) {
                push(slipring, "one", producer);
            }
            sql.executeUpdate(MAKE_OLD);
            push(slipring, "one", 900);
            assertThat(count(sql, "producer > 1000")).as("some at a time").isEqualTo(52);
            push(slipring, "one", 901);
            assertThat(count(sql, "producer > 1000")).as("of its own ring").isEqualTo(1);
            assertThat(count(sql, "producer < 1000")).isEqualTo(2);
            push(slipring, "one", 900);
            assertThat(slipring.ring("one").info().pushed()).isEqualTo(152);
        }
    }

    /** A producer that is pushing at this moment is not waited for, and stays. */
    @Test
    void whoIsBeingPushedForStays() throws Exception {
        String database = server.get().newDatabase();
        try (Slipring slipring = Slipring.open(server.get().url(database));
                Connection connection = server.get().connect(database);
                Statement sql = connection.createStatement()) {
            long id = slipring.create(RingSpec.named("one")).info().shape().id();
            push(slipring, "one", 1_001);
            push(slipring, "one", 1_002);
            sql.executeUpdate(MAKE_OLD);
            connection.setTransactionIsolation(Connection.TRANSACTION_READ_COMMITTED);
            connection.setAutoCommit(false);
            String one =
                    "UPDATE slipring_producer SET number = 7 WHERE producer = 1001 AND ring = "
                            + id;
            assertThat(sql.executeUpdate(one)).isEqualTo(1);
            push(slipring, "one", 900);
            assertThat(slipring.store().survey("one", false).retries()).isZero();
            connection.commit();
            assertThat(count(sql, "producer = 1001")).isEqualTo(1);
            assertThat(count(sql, "producer = 1002")).isZero();
        }
    }
}
