// SPDX-License-Identifier: Apache-2.0
package dev.slipring.sqlite;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.slipring.Claim;
import dev.slipring.Joined;
import dev.slipring.Message;
import dev.slipring.Ring;
import dev.slipring.RingFull;
import dev.slipring.Slipring;
import dev.slipring.StoreFailed;
import dev.slipring.engine.Change;
import dev.slipring.engine.Claimed;
import dev.slipring.engine.Settlement;
import dev.slipring.engine.Store;
import dev.slipring.graph.RingSpec;

import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.time.Duration;
import java.util.List;

class JoinTest {

    @TempDir Path folder;

    private SqliteStore store;
    private Connection caller;

    @BeforeEach
    void open() throws Exception {
        store = Given.ring(folder.resolve("x.db"), "?busy=1");
        caller = Given.jdbc(folder.resolve("x.db"));
        Given.run(caller, "CREATE TABLE mine (x)");
        Given.run(caller, "PRAGMA busy_timeout = 100");
        caller.setAutoCommit(false);
    }

    @AfterEach
    void close() throws Exception {
        caller.close();
        store.close();
    }

    @Test
    void takesEffectWithTheCallersCommit() throws Exception {
        try (Store joined = store.join(caller)) {
            joined.push("r", Given.slot(2, 10));
        }
        assertThat(Given.pushed(store)).isZero();
        caller.commit();
        assertThat(Given.pushed(store)).isEqualTo(2);
        Claimed claimed = store.claim("r", Given.claim(10));
        store.join(caller)
                .settle(
                        "r",
                        new Settlement(
                                claimed.ticket(), List.of(), List.of(), Settlement.Rest.DONE));
        assertThat(store.survey("r", false).heldMessages()).isEqualTo(2);
        caller.commit();
        assertThat(store.survey("r", false).heldMessages()).isZero();
    }

    /** The connection may only read, although the file can be written to. */
    @Test
    void aConnectionThatMayOnlyReadIsNamed() throws Exception {
        Given.run(caller, "PRAGMA query_only = 1");
        assertThatThrownBy(() -> store.join(caller).push("r", Given.slot(1, 10)))
                .isInstanceOf(StoreFailed.class)
                .hasMessageContaining("this connection may only read")
                .hasMessageContaining("query_only");
        caller.rollback();
        assertThat(Given.pushed(store)).isZero();
    }

    /** A closed ring takes no further part in a caller's transaction, which stays open. */
    @Test
    void aRingThatIsClosedTakesPartNoMore() throws Exception {
        Path file = folder.resolve("x.db");
        Slipring slipring = Slipring.open("sqlite:" + file);
        Ring ring = slipring.ring("r");
        ring.push("x");
        Claim claim = ring.stage().claim(1, Duration.ZERO);
        Joined joined = ring.join(caller);
        slipring.close();
        List<ThrowingCallable> calls =
                List.of(
                        () -> ring.join(caller),
                        () -> joined.push(Message.of("y")),
                        () -> joined.extend(claim),
                        () -> joined.done(claim));
        for (ThrowingCallable call : calls) {
            assertThatThrownBy(call)
                    .isInstanceOf(StoreFailed.class)
                    .hasMessageContaining("ring 'r' is closed");
        }
        caller.commit();
        assertThat(Given.pushed(store)).isEqualTo(1);
        assertThat(store.survey("r", false).heldMessages()).isEqualTo(1);
    }

    /**
     * A claim of another file is refused, although the rings, lanes and epochs of two files have
     * the same numbers.
     */
    @Test
    void aClaimOfAnotherFileSaysNothing() throws Exception {
        Path file = folder.resolve("one.db");
        try (Slipring one = Slipring.open("sqlite:" + file);
                Slipring two = Slipring.open("sqlite:" + folder.resolve("two.db"));
                Connection transaction = Given.jdbc(file)) {
            Ring ours = one.create(RingSpec.named("r"));
            Ring theirs = two.create(RingSpec.named("r"));
            ours.push("ours");
            theirs.push("theirs");
            Claim claim = theirs.stage().claim(1, Duration.ZERO);
            Claim inHand = ours.stage().claim(1, Duration.ZERO);
            transaction.setAutoCommit(false);
            assertThatThrownBy(() -> ours.join(transaction).done(claim))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("not made through this Slipring");
            transaction.commit();
            assertThat(ours.info().heldMessages()).isEqualTo(1);
            inHand.done();
            claim.done();
        }
    }

    @Test
    void goesWithTheCallersRollback() throws Exception {
        Given.run(caller, "INSERT INTO mine VALUES (1)");
        store.join(caller).push("r", Given.slot(2, 10));
        caller.rollback();
        assertThat(Given.pushed(store)).isZero();
        store.push("r", Given.slot(1, 10));
        assertThat(store.survey("r", true).broken()).isEmpty();
    }

    @Test
    void aFailureLeavesTheCallersTransactionAsItWas() throws Exception {
        store.change("r", new Change.Resize(3, 1_000_000));
        Store joined = store.join(caller);
        Given.run(caller, "INSERT INTO mine VALUES (1)");
        joined.push("r", Given.slot(2, 10));
        assertThatThrownBy(() -> joined.push("r", Given.slot(2, 10))).isInstanceOf(RingFull.class);
        joined.push("r", Given.slot(1, 10));
        caller.commit();
        assertThat(Given.pushed(store)).isEqualTo(3);
        assertThat(store.survey("r", true).broken()).isEmpty();
    }

    @Test
    void workThatBreaksOffIsTakenBack() throws Exception {
        Given.run(caller, "INSERT INTO mine VALUES (1)");
        assertThatThrownBy(
                        () ->
                                store.transactor()
                                        .join(caller)
                                        .write(
                                                true,
                                                rows -> {
                                                    rows.rings().delete(1);
                                                    throw new IllegalStateException("enough");
                                                }))
                .isInstanceOf(IllegalStateException.class);
        caller.commit();
        assertThat(store.rings()).containsExactly("r");
        assertThat(store.shape("r")).isPresent();
        try (var rows = caller.createStatement().executeQuery("SELECT count(*) FROM mine")) {
            assertThat(rows.getInt(1)).isEqualTo(1);
        }
    }

    @Test
    void refusesConnectionsThatCannotBeJoined() throws Exception {
        caller.setAutoCommit(true);
        assertThatThrownBy(() -> store.join(caller))
                .isInstanceOf(StoreFailed.class)
                .hasMessageContaining("call setAutoCommit(false)");
        try (Connection other = Given.jdbc(folder.resolve("other.db"));
                Connection memory = Given.jdbc(Path.of(":memory:"))) {
            other.setAutoCommit(false);
            memory.setAutoCommit(false);
            assertThatThrownBy(() -> store.join(other))
                    .isInstanceOf(StoreFailed.class)
                    .hasMessageContaining("other.db");
            assertThatThrownBy(() -> store.join(memory))
                    .isInstanceOf(StoreFailed.class)
                    .hasMessageContaining("in memory");
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "PRAGMA synchronous = OFF                      | synchronous = OFF",
                "CREATE TEMP TABLE slipring_slot (id INTEGER)  | temporary tables",
            })
    void refusesAConnectionThatWouldDoHarm(String setting, String words) throws Exception {
        caller.setAutoCommit(true);
        Given.run(caller, setting);
        caller.setAutoCommit(false);
        assertThatThrownBy(() -> store.join(caller))
                .isInstanceOf(StoreFailed.class)
                .hasMessageContaining(words);
    }

    /** A file with several names is refused, as SQLite keeps a log for each name. */
    @Test
    void refusesAFileWithSeveralNames() throws Exception {
        Path other = Files.createLink(folder.resolve("other.db"), folder.resolve("x.db"));
        try (Connection linked = Given.jdbc(other)) {
            linked.setAutoCommit(false);
            assertThatThrownBy(() -> store.join(linked))
                    .isInstanceOf(StoreFailed.class)
                    .hasMessageContaining("hard links");
        }
        assertThatThrownBy(() -> Given.store(other))
                .isInstanceOf(StoreFailed.class)
                .hasMessageContaining("hard links");
        Files.delete(other);
        store.push("r", Given.slot(1, 1));
        assertThat(store.survey("r", true).broken()).isEmpty();
    }

    @Test
    void cannotWriteAfterAReadThatIsOutOfDate() throws Exception {
        Given.run(caller, "SELECT count(*) FROM mine");
        try (var rows = caller.createStatement().executeQuery("SELECT count(*) FROM mine")) {
            assertThat(rows.next()).isTrue();
        }
        store.push("r", Given.slot(1, 10));
        assertThatThrownBy(() -> store.join(caller).push("r", Given.slot(1, 10)))
                .isInstanceOf(StoreFailed.class)
                .hasMessageContaining("read before it wrote")
                .hasMessageContaining("BEGIN IMMEDIATE");
        caller.rollback();
        store.join(caller).push("r", Given.slot(1, 10));
        caller.commit();
        assertThat(Given.pushed(store)).isEqualTo(2);
    }

    @Test
    void namesTheLockThatIsInTheWay() throws Exception {
        try (Connection other = Given.jdbc(folder.resolve("x.db"))) {
            Given.run(other, "BEGIN IMMEDIATE");
            assertThatThrownBy(() -> store.join(caller).push("r", Given.slot(1, 10)))
                    .isInstanceOf(StoreFailed.class)
                    .hasMessageContaining("holds the write lock");
            Given.run(other, "ROLLBACK");
        }
        store.join(caller).push("r", Given.slot(1, 10));
        caller.rollback();
    }

    @Test
    void readsBeforeItsLockAreNotStale() throws Exception {
        Store joined = store.join(caller);
        joined.push("r", Given.slot(1, 10));
        assertThatThrownBy(() -> store.push("r", Given.slot(1, 10)))
                .isInstanceOf(StoreFailed.class);
        assertThat(joined.survey("r", false).pushed()).isEqualTo(1);
        caller.rollback();
    }
}
