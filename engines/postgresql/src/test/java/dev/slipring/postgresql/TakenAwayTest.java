// SPDX-License-Identifier: Apache-2.0
package dev.slipring.postgresql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.slipring.Ring;
import dev.slipring.graph.FanOut;
import dev.slipring.graph.Start;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/** Claims that a change of their ring takes away, and transactions that report on them in SQL. */
class TakenAwayTest {

    /** A change that takes messages out of workers' hands. */
    private enum Taking {
        REWIND(ring -> ring.stage("a").rewind(Start.OLDEST)),
        PURGE(Ring::purge),
        REMOVE(ring -> ring.stage("a").remove());

        private final Consumer<Ring> change;

        Taking(Consumer<Ring> change) {
            this.change = change;
        }
    }

    @RegisterExtension private final NewDatabase database = new NewDatabase();

    private Ring ring;
    private Connection caller;
    private Statement sql;
    private String claim;

    @BeforeEach
    void claim() throws SQLException {
        ring = database.ring(1, FanOut.to("a").and("b"));
        ring.push("x");
        claim = database.text("SELECT claim FROM slipring.claim('r', stage => 'a')");
        caller = database.connect();
        caller.setAutoCommit(false);
        sql = caller.createStatement();
    }

    @AfterEach
    void close() throws SQLException {
        caller.close();
    }

    private void done() throws SQLException {
        sql.execute("SELECT slipring.done('" + claim + "')");
    }

    /**
     * A transaction whose snapshot is older than the change still sees its claim in hand, and is
     * refused.
     */
    @ParameterizedTest
    @EnumSource
    void whatIsSaidByAnOldSnapshotIsRefused(Taking taking) throws SQLException {
        caller.setTransactionIsolation(Connection.TRANSACTION_REPEATABLE_READ);
        sql.execute("SELECT count(*) FROM slipring.ring");
        taking.change.accept(ring);
        assertThatThrownBy(this::done)
                .isInstanceOfSatisfying(
                        SQLException.class,
                        refusal -> assertThat(refusal.getSQLState()).isEqualTo("40001"));
    }

    /** The change waits for a transaction that has reported done and is not committed yet. */
    @ParameterizedTest
    @EnumSource
    @Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
    void anOpenDoneIsWaitedFor(Taking taking) throws Exception {
        done();
        CompletableFuture<Void> change =
                CompletableFuture.runAsync(() -> taking.change.accept(ring));
        database.awaitTrying(change);
        ring.push("beside");
        assertThat(database.text("SELECT claim FROM slipring.claim('r', stage => 'b')"))
                .isNotNull();
        caller.commit();
        change.get(40, TimeUnit.SECONDS);
        assertThat(ring.check()).isEmpty();
    }

    /** Changes that take nothing away do not wait for an open done. */
    @Test
    @Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
    void otherChangesGoOnBesideAnOpenDone() throws Exception {
        done();
        ring.stage("a").pause();
        ring.stage("b").rewind(Start.OLDEST);
        caller.commit();
        assertThat(ring.info().stage("a").done()).isEqualTo(1);
    }
}
