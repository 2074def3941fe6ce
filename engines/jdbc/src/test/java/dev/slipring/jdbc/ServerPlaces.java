// SPDX-License-Identifier: Apache-2.0
package dev.slipring.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.slipring.Claim;
import dev.slipring.Message;
import dev.slipring.Ring;
import dev.slipring.Slipring;
import dev.slipring.StoreFailed;
import dev.slipring.engine.Slot;
import dev.slipring.engine.SlotCodec;
import dev.slipring.graph.RingSpec;
import dev.slipring.kit.InFront;
import dev.slipring.kit.server.RunningServer;
import dev.slipring.kit.server.ServerFiles;

import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.RegisterExtension;

import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Collections;
import java.util.List;

/** Callers whose connection is to another database, which has a ring of the same name and id. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class ServerPlaces {

    private static final RingSpec SPEC = RingSpec.named("t").lanes(1);

    @RegisterExtension private final RunningServer server;

    private String here;
    private String there;
    private Slipring slipring;
    private Slipring other;
    private Ring ring;
    private Connection caller;

    ServerPlaces(ServerFiles files) {
        server = new RunningServer(files);
    }

    @BeforeEach
    void twoDatabases() throws SQLException {
        here = server.get().newDatabase();
        there = server.get().newDatabase();
        slipring = Slipring.open(server.get().url(here));
        other = Slipring.open(server.get().url(there));
        for (String database : List.of(here, there)) {
            server.get().run("UPDATE " + database + ".slipring_id SET next = 0");
        }
        ring = slipring.create(SPEC);
        other.create(SPEC);
        ring.pushAll(Collections.nCopies(100, Message.of("here")));
        other.ring("t").pushAll(Collections.nCopies(5, Message.of("there")));
        caller = server.get().connect(there);
        caller.setAutoCommit(false);
    }

    @AfterEach
    void bothAreWhole() throws SQLException {
        caller.commit();
        caller.close();
        assertThat(ring.check()).isEmpty();
        assertThat(ring.info().pushed()).isEqualTo(100);
        assertThat(other.ring("t").check()).isEmpty();
        assertThat(other.ring("t").info().pushed()).isEqualTo(5);
        Claim claim = other.ring("t").stage().claim(9, Duration.ofSeconds(5));
        assertThat(claim.deliveries()).hasSize(5);
        claim.done();
        slipring.close();
        other.close();
    }

    private static void assertRefused(ThrowingCallable work, String... words) {
        assertThatThrownBy(work).isInstanceOf(StoreFailed.class).hasMessageContainingAll(words);
    }

    @Test
    void aPushIsRefused() {
        assertRefused(
                () -> ring.join(caller).push(Message.of("x")),
                "the connection is to ",
                "/" + there + " ",
                "the ring is in ",
                "/" + here + " ",
                "a transaction is within one database");
    }

    @Test
    void aWordIsRefused() {
        Claim claim = ring.stage().claim(9, Duration.ZERO);
        assertRefused(() -> ring.join(caller).done(claim), "/" + there + " ", "/" + here + " ");
        claim.done();
    }

    /** A database that was restored from a backup has the same rows, even the same origin. */
    @Test
    void aCopyIsRefused() {
        haveOneOrigin();
        assertRefused(
                () -> ring.join(caller).push(Message.of("x")), "/" + there + " ", "/" + here + " ");
    }

    private void haveOneOrigin() {
        for (String database : List.of(here, there)) {
            server.get().run("UPDATE " + database + ".slipring_ring SET origin = 1");
        }
    }

    @Test
    void aDatabaseThatIsNamedAlikeIsRefused() {
        assertRefused(this::pushWithoutNames, "another database of that name");
    }

    @Test
    void aCopyThatIsNamedAlikeIsRefusedWhereItIsBehind() {
        haveOneOrigin();
        assertRefused(this::pushWithoutNames, "lane 0", "goes to 100", "it goes to 5");
    }

    @Test
    void aDatabaseWithoutTheRingIsRefused() throws SQLException {
        Ring late = slipring.create(RingSpec.named("late"));
        assertRefused(() -> late.join(caller).push(Message.of("x")), "a database without the ring");
        caller.rollback();
        caller.setCatalog(server.get().newDatabase());
        assertRefused(() -> late.join(caller).push(Message.of("x")), "to no database with rings");
        caller.setCatalog(there);
    }

    /** Pushes with a store that takes all databases to have the same name. */
    private void pushWithoutNames() {
        JdbcTransactor transactor = ((JdbcStore) slipring.store()).transactor();
        Dialect dialect =
                InFront.of(
                        Dialect.class,
                        transactor.dialect(),
                        (method, args, through) ->
                                method.equals("place") ? "'somewhere'" : through.call());
        byte[] body = SlotCodec.encode(List.of(Message.of("x")));
        new JdbcStore(new JdbcTransactor(dialect, transactor.sessions(), "a server"))
                .join(caller)
                .push("t", List.of(new Slot(0, 0, 0, 1, body)));
    }
}
