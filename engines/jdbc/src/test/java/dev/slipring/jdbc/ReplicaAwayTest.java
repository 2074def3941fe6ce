// SPDX-License-Identifier: Apache-2.0
package dev.slipring.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import dev.slipring.Message;
import dev.slipring.Ring;
import dev.slipring.Slipring;
import dev.slipring.engine.Slot;
import dev.slipring.engine.SlotCodec;
import dev.slipring.graph.RingSpec;
import dev.slipring.kit.server.RunningServer;
import dev.slipring.kit.server.ServerFiles;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/** A server of MariaDB whose semi-synchronous replica is away: each commit waits for it. */
@Timeout(120)
class ReplicaAwayTest {

    private static final String WAITING =
            "SELECT id FROM information_schema.processlist WHERE state LIKE '%semi-sync ACK%'";

    private static final long PRODUCER = 4_711;

    @RegisterExtension
    private static final RunningServer SERVER =
            new RunningServer(
                    ServerFiles.MARIADB_11,
                    "--log-bin=log",
                    "--server-id=1",
                    "--rpl-semi-sync-master-timeout=600000",
                    "--rpl-semi-sync-master-wait-no-slave=ON");

    private Slipring slipring;
    private Connection connection;
    private Statement sql;

    @BeforeEach
    void open() throws SQLException {
        slipring = Slipring.open(SERVER.get().url(SERVER.get().newDatabase()));
        connection = SERVER.get().connect("mysql");
        sql = connection.createStatement();
    }

    @AfterEach
    void close() throws SQLException {
        replicaIsAway(false);
        connection.close();
        slipring.close();
    }

    private void replicaIsAway(boolean away) throws SQLException {
        sql.execute("SET GLOBAL rpl_semi_sync_master_enabled = " + (away ? "ON" : "OFF"));
    }

    /** Waits until a session waits for the replica; returns its number. */
    private long waiting(CompletableFuture<?> call) throws Exception {
        while (true) {
            try (ResultSet row = sql.executeQuery(WAITING)) {
                if (row.next()) {
                    return row.getLong(1);
                }
            }
            assertThat(call).as("a call that waits for the replica").isNotDone();
            TimeUnit.MILLISECONDS.sleep(20);
        }
    }

    /** Cuts a call off while it waits for the replica, and waits until that session is gone. */
    private void cutOff(CompletableFuture<?> call) throws Exception {
        long id = waiting(call);
        sql.execute("KILL " + id);
        boolean gone = false;
        while (!gone) {
            try (ResultSet row = sql.executeQuery(WAITING + " AND id = " + id)) {
                gone = !row.next();
            }
            TimeUnit.MILLISECONDS.sleep(5);
        }
    }

    @Test
    void aPushThatIsAskedForWaitsForTheReplicaToo() throws Exception {
        Ring ring = slipring.create(RingSpec.named("r"));
        ring.push("so that all is known");
        replicaIsAway(true);
        CompletableFuture<Void> push = CompletableFuture.runAsync(() -> ring.push("once"));
        cutOff(push);
        waiting(push);
        replicaIsAway(false);
        push.get(60, TimeUnit.SECONDS);
        assertThat(ring.info().pushed()).isEqualTo(2);
    }

    /** One slot goes by a procedure, several go by the rules in Java. */
    @Test
    void aPushThatIsRepeatedWaitsForTheReplicaToo() throws Exception {
        slipring.create(RingSpec.named("r").lanes(2));
        for (int slots = 1; slots <= 2; slots++) {
            push(slots);
            replicaIsAway(true);
            int same = slots;
            CompletableFuture<Void> again = CompletableFuture.runAsync(() -> push(same));
            waiting(again);
            replicaIsAway(false);
            again.get(60, TimeUnit.SECONDS);
        }
        assertThat(slipring.ring("r").info().pushed()).isEqualTo(3);
    }

    private void push(int slots) {
        byte[] body = SlotCodec.encode(List.of(Message.of("x")));
        Slot first = new Slot(0, PRODUCER + slots, 1, 1, body);
        Slot second = new Slot(1, PRODUCER + slots, 1, 1, body);
        slipring.store().push("r", List.of(first, second).subList(0, slots));
    }
}
