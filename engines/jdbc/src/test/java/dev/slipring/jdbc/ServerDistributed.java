// SPDX-License-Identifier: Apache-2.0
package dev.slipring.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.mysql.cj.jdbc.MysqlXADataSource;

import dev.slipring.Message;
import dev.slipring.Ring;
import dev.slipring.Slipring;
import dev.slipring.StoreFailed;
import dev.slipring.graph.RingSpec;
import dev.slipring.graph.StageSpec;
import dev.slipring.kit.server.RunningServer;
import dev.slipring.kit.server.ServerFiles;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.mariadb.jdbc.MariaDbDataSource;
import org.mariadb.jdbc.MariaDbXid;

import java.sql.Connection;
import java.sql.Statement;

import javax.sql.XAConnection;
import javax.transaction.xa.XAResource;
import javax.transaction.xa.Xid;

/** Callers whose transactions are distributed (XA), with either driver. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class ServerDistributed {

    private static final StageSpec MAIN = StageSpec.named("main");

    @RegisterExtension private final RunningServer server;

    ServerDistributed(ServerFiles files) {
        server = new RunningServer(files);
    }

    /**
     * The server does not tell the driver of a distributed transaction, so the driver believes to
     * be in auto-commit mode until it is told otherwise.
     */
    @Test
    void aDistributedTransactionIsJoinedOutsideOfAutoCommit() throws Exception {
        String database = server.get().newDatabase();
        try (Slipring slipring = Slipring.open(server.get().url(database))) {
            Ring ring = slipring.create(RingSpec.named("distributed").graph(MAIN));
            String url = "jdbc:mariadb://127.0.0.1:" + server.get().port() + "/" + database;
            XAConnection part = new MariaDbDataSource(url + "?user=root").getXAConnection();
            try (Connection caller = part.getConnection()) {
                Xid id = new MariaDbXid(1, new byte[] {1}, new byte[] {1});
                XAResource resource = part.getXAResource();
                resource.start(id, XAResource.TMNOFLAGS);
                assertThatThrownBy(() -> ring.join(caller).push(Message.of("x")))
                        .isInstanceOf(StoreFailed.class)
                        .hasMessageContaining("(XA)");
                pushAndCommit(ring, caller, resource, id);
            } finally {
                part.close();
            }
        }
    }

    private static void pushAndCommit(Ring ring, Connection caller, XAResource resource, Xid id)
            throws Exception {
        caller.setAutoCommit(false);
        ring.join(caller).push(Message.of("x"));
        resource.end(id, XAResource.TMSUCCESS);
        assertThat(resource.prepare(id)).isEqualTo(XAResource.XA_OK);
        assertThat(ring.info().pushed()).isZero();
        resource.commit(id, false);
        assertThat(ring.info().pushed()).isEqualTo(1);
        assertThat(ring.check()).isEmpty();
    }

    /** MySQL's driver refuses savepoints in such a transaction, although the servers have them. */
    @Test
    void aDistributedTransactionOfMySqlsDriverIsJoined() throws Exception {
        String database = server.get().newDatabase();
        try (Slipring slipring = Slipring.open(server.get().url(database))) {
            Ring ring = slipring.create(RingSpec.named("distributed").graph(MAIN));
            MysqlXADataSource source = new MysqlXADataSource();
            source.setUrl("jdbc:mysql://127.0.0.1:" + server.get().port() + "/" + database);
            source.setUser("root");
            XAConnection part = source.getXAConnection();
            try (Connection caller = part.getConnection()) {
                Xid id = new MariaDbXid(1, new byte[] {2}, new byte[] {1});
                XAResource resource = part.getXAResource();
                resource.start(id, XAResource.TMNOFLAGS);
                pushAndCommit(ring, caller, resource, id);
            } finally {
                part.close();
            }
        }
    }

    /**
     * A prepared transaction belongs to no connection any more, so the error cannot name one that
     * keeps the lane.
     */
    @Test
    void whatWasPreparedAndLeftKeepsItsLane() throws Exception {
        String database = server.get().newDatabase();
        try (Slipring slipring = Slipring.open(server.get().url(database))) {
            Ring ring = slipring.create(RingSpec.named("prepared").lanes(2).graph(MAIN));
            try (Connection caller = server.get().connect(database);
                    Statement sql = caller.createStatement()) {
                sql.execute("XA START 'left'");
                caller.setAutoCommit(false);
                ring.join(caller).push(Message.of("1").key("a"));
                sql.execute("XA END 'left'");
                sql.execute("XA PREPARE 'left'");
            }
            ring.push("free");
            try (Connection other = server.get().connect(database);
                    Statement sql = other.createStatement()) {
                sql.execute("SET innodb_lock_wait_timeout = 1");
                other.setAutoCommit(false);
                assertThatThrownBy(() -> ring.join(other).push(Message.of("2").key("a")))
                        .isInstanceOf(StoreFailed.class)
                        .hasMessageContaining("XA RECOVER shows it");
                other.rollback();
            }
            server.get().run("XA COMMIT 'left'");
            ring.push(Message.of("2").key("a"));
            assertThat(ring.info().pushed()).isEqualTo(3);
            assertThat(ring.check()).isEmpty();
        }
    }
}
