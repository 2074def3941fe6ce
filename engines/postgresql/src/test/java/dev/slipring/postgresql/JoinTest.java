// SPDX-License-Identifier: Apache-2.0
package dev.slipring.postgresql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.slipring.Claim;
import dev.slipring.Delivery;
import dev.slipring.Fenced;
import dev.slipring.Joined;
import dev.slipring.Message;
import dev.slipring.NotInHand;
import dev.slipring.Ring;
import dev.slipring.Slipring;
import dev.slipring.StoreFailed;
import dev.slipring.graph.RingSpec;
import dev.slipring.graph.StageSpec;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.postgresql.xa.PGXADataSource;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Savepoint;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.util.List;

import javax.sql.XAConnection;
import javax.transaction.xa.XAResource;
import javax.transaction.xa.Xid;

/**
 * Transactions of the caller, at each isolation level, with snapshots older than what they meet.
 */
class JoinTest {

    /** So long that no lease runs out by itself. */
    private static final Duration LEASE = Duration.ofHours(1);

    @RegisterExtension private final NewDatabase database = new NewDatabase();

    private Slipring slipring;
    private Ring ring;
    private Connection caller;

    @BeforeEach
    void open() throws SQLException {
        slipring = Slipring.open(database.url());
        ring =
                slipring.create(
                        RingSpec.named("r")
                                .lanes(1)
                                .graph(
                                        StageSpec.named("main")
                                                .lease(LEASE)
                                                .backoff(Duration.ofMinutes(5), LEASE)));
        caller = database.connect();
    }

    @AfterEach
    void close() throws SQLException {
        caller.close();
        slipring.close();
    }

    private void begin(int isolation) throws SQLException {
        caller.setTransactionIsolation(isolation);
        caller.setAutoCommit(false);
        try (Statement statement = caller.createStatement()) {
            statement.execute("SELECT count(*) FROM pg_class");
        }
    }

    @ParameterizedTest
    @ValueSource(
            ints = {
                Connection.TRANSACTION_READ_COMMITTED,
                Connection.TRANSACTION_REPEATABLE_READ,
                Connection.TRANSACTION_SERIALIZABLE
            })
    void aSnapshotThatIsOlderThanAllDoesNoHarm(int isolation) throws SQLException {
        begin(isolation);
        ring.push("before");
        ring.push("fails");
        Claim claim = ring.stage().claim(2, Duration.ZERO);
        ring.join(caller).push(Message.of("joined"));
        ring.join(caller).extend(claim);
        ring.join(caller).fail(claim, claim.deliveries().get(1), "no");
        ring.join(caller).done(claim, claim.deliveries().get(0));
        caller.commit();
        assertThat(ring.info().stages().get(0).aside()).isEqualTo(1);
        ring.push("after");
        Claim next = ring.stage().claim(9, Duration.ZERO);
        assertThat(next.deliveries())
                .extracting(delivery -> delivery.text())
                .containsExactly("joined", "after");
        next.done();
        assertThat(ring.check()).isEmpty();
    }

    /**
     * A distributed transaction can be joined, although the driver says that its connection is in
     * auto-commit mode.
     */
    @Test
    void aDistributedTransactionIsJoined() throws Exception {
        PGXADataSource source = new PGXADataSource();
        PostgresUrl url = PostgresUrl.parse(database.url());
        source.setUrl("jdbc:postgresql://" + url.rest());
        source.setUser(url.user());
        source.setPassword(url.password());
        XAConnection distributed = source.getXAConnection();
        try (Connection connection = distributed.getConnection()) {
            Message message = Message.of("joined");
            Joined joined = ring.join(connection);
            assertThatThrownBy(() -> joined.push(message)).hasMessageContaining("auto-commit");
            XAResource resource = distributed.getXAResource();
            for (int flag : new int[] {XAResource.TMFAIL, XAResource.TMSUCCESS}) {
                Xid xid = new Branch(flag);
                resource.start(xid, XAResource.TMNOFLAGS);
                joined.push(message);
                resource.end(xid, flag);
                if (flag == XAResource.TMFAIL) {
                    resource.rollback(xid);
                } else {
                    resource.prepare(xid);
                    resource.commit(xid, false);
                }
            }
            assertThatThrownBy(() -> joined.push(message)).hasMessageContaining("auto-commit");
        } finally {
            distributed.close();
        }
        assertThat(ring.info().pushed()).isEqualTo(1);
    }

    /** A part of a transaction. */
    private record Branch(int number) implements Xid {

        @Override
        public int getFormatId() {
            return 1;
        }

        @Override
        public byte[] getGlobalTransactionId() {
            return new byte[] {1, (byte) (number >> 24)};
        }

        @Override
        public byte[] getBranchQualifier() {
            return new byte[] {1};
        }
    }

    @ParameterizedTest
    @ValueSource(
            ints = {Connection.TRANSACTION_REPEATABLE_READ, Connection.TRANSACTION_SERIALIZABLE})
    void whatIsNotInHandDoesNoHarm(int isolation) throws SQLException {
        begin(isolation);
        ring.pushAll(List.of(Message.of("a"), Message.of("b"), Message.of("c")));
        Claim claim = ring.stage().claim(2, Duration.ZERO);
        Delivery a = claim.deliveries().get(0);
        ring.join(caller).fail(claim, a, "no");
        ring.join(caller).fail(claim, a, "said twice");
        ring.join(caller).done(claim, claim.deliveries().get(1));
        ring.join(caller).fail(claim, claim.deliveries().get(1), "it is done");
        Delivery behind = new Delivery(Message.of("x"), 0, 99, 1, Instant.EPOCH);
        assertThatThrownBy(() -> ring.join(caller).fail(claim, behind, "never pushed"))
                .isInstanceOf(NotInHand.class);
        caller.commit();
        assertThat(ring.info().stages().get(0).failed()).isEqualTo(1);
        assertThat(ring.info().stages().get(0).aside()).isEqualTo(1);
        assertThat(ring.stage().claim(9, Duration.ZERO).deliveries()).hasSize(1);
        assertThat(ring.check()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(
            ints = {
                Connection.TRANSACTION_READ_COMMITTED,
                Connection.TRANSACTION_REPEATABLE_READ,
                Connection.TRANSACTION_SERIALIZABLE
            })
    void whatWasHandedOnIsRefused(int isolation) throws SQLException {
        ring.push("x");
        database.run("UPDATE slipring.stage SET lease_ms = 1");
        Claim old = ring.stage().claim(1, Duration.ZERO);
        database.run("UPDATE slipring.stage SET lease_ms = 3600000");
        begin(isolation);
        Claim young = ring.stage().claim(1, Duration.ofSeconds(20));
        assertThat(young.deliveries()).hasSize(1);
        assertThatThrownBy(() -> ring.join(caller).done(old))
                .isInstanceOfAny(Fenced.class, StoreFailed.class);
        caller.rollback();
        young.done();
        assertThat(ring.check()).isEmpty();
    }

    @Test
    void aSavepointTakesBackItsPush() throws SQLException {
        begin(Connection.TRANSACTION_READ_COMMITTED);
        ring.join(caller).push(Message.of("kept"));
        Savepoint here = caller.setSavepoint();
        ring.join(caller).push(Message.of("taken back"));
        caller.rollback(here);
        ring.join(caller).push(Message.of("kept too"));
        caller.commit();
        assertThat(ring.info().pushed()).isEqualTo(2);
        assertThat(ring.check()).isEmpty();
    }

    @Test
    void aDatabaseWithAnotherDefaultIsolationWorks() throws SQLException {
        String name = database.name();
        try (Statement statement = caller.createStatement()) {
            statement.execute(
                    "ALTER DATABASE "
                            + name
                            + " SET default_transaction_isolation = 'repeatable read'");
        }
        try (Slipring other = Slipring.open(database.url())) {
            other.ring("r").push("x");
            Claim claim = other.ring("r").stage().claim(1, Duration.ZERO);
            assertThat(claim.deliveries()).hasSize(1);
            claim.done();
            assertThat(other.ring("r").check()).isEmpty();
        }
    }

    /**
     * A claim that has ended since the transaction's snapshot is late, whether the transaction
     * began before the claim or after it.
     */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void aClaimThatHasEndedSinceTheSnapshotIsLate(boolean before) throws SQLException {
        ring.push("m");
        if (before) {
            begin(Connection.TRANSACTION_REPEATABLE_READ);
        }
        Claim claim = ring.stage().claim(1, Duration.ZERO);
        if (!before) {
            begin(Connection.TRANSACTION_REPEATABLE_READ);
        }
        database.run(
                "SELECT slipring.settle('r', 'main', 0, h.epoch, false, '{}', '{}', '{}', '{}',"
                        + " 'give_back') FROM slipring.strand_now({ring}, 'main', 0) s,"
                        + " unnest(s.hands) h");
        ring.stage().claim(1, Duration.ofSeconds(20)).done();
        assertThatThrownBy(() -> ring.join(caller).done(claim))
                .isInstanceOf(Fenced.class)
                .hasMessageContaining("not in this worker's hand");
        caller.rollback();
    }

    /**
     * Such a transaction does not see where the push before it ended, and leaves a gap, which the
     * check does not report.
     */
    @ParameterizedTest
    @ValueSource(
            ints = {Connection.TRANSACTION_REPEATABLE_READ, Connection.TRANSACTION_SERIALIZABLE})
    void whatWasRolledBackIsNotMissing(int isolation) throws SQLException {
        for (int round = 1; round <= 2; round++) {
            begin(isolation);
            ring.join(caller).push(Message.of("gone"), Message.of("gone too"));
            caller.rollback();
            begin(isolation);
            ring.join(caller).push(Message.of("kept"));
            caller.commit();
            assertThat(ring.check()).isEmpty();
            ring.push("behind it");
            assertThat(ring.check()).isEmpty();
        }
        Claim claim = ring.stage().claim(10, Duration.ZERO);
        assertThat(claim.deliveries()).hasSize(4);
        claim.done();
        assertThat(ring.check()).isEmpty();
    }

    /** If a transaction can take no more statements, the error says why, and what to do. */
    @Test
    void whatIsWrongWithTheTransactionIsSaid() throws SQLException {
        begin(Connection.TRANSACTION_READ_COMMITTED);
        assertThatThrownBy(() -> caller.createStatement().execute("nonsense"))
                .isInstanceOf(SQLException.class);
        assertThatThrownBy(() -> ring.join(caller).push(Message.of("x")))
                .isInstanceOf(StoreFailed.class)
                .hasMessageContaining("an error before this one")
                .hasMessageContaining("roll back and begin again");
        caller.rollback();
        caller.setReadOnly(true);
        assertThatThrownBy(() -> ring.join(caller).push(Message.of("x")))
                .isInstanceOf(StoreFailed.class)
                .hasMessageContaining("begin a transaction that may write");
        caller.rollback();
        caller.setReadOnly(false);
    }

    @Test
    void whatIsMissingIsToldAllTheSame() throws SQLException {
        begin(Connection.TRANSACTION_REPEATABLE_READ);
        ring.join(caller).push(Message.of("first"));
        caller.commit();
        ring.push("second");
        ring.push("third");
        database.run("DELETE FROM slipring.slot_{ring}_0 WHERE until = 2");
        assertThat(ring.check()).anyMatch(words -> words.contains("the messages from 1 to 1 are"));
        database.run("DELETE FROM slipring.slot_{ring}_0 WHERE until = 1");
        assertThat(ring.check()).anyMatch(words -> words.contains("the oldest slot at 2"));
    }
}
