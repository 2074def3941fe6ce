// SPDX-License-Identifier: Apache-2.0
package dev.slipring.postgresql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.slipring.Options;
import dev.slipring.Ring;
import dev.slipring.Slipring;
import dev.slipring.StoreFailed;
import dev.slipring.graph.RingSpec;
import dev.slipring.kit.OneConnection;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;

/** A store that gets the connection of the thread's own transaction does not commit that. */
class LentTest {

    @RegisterExtension private final NewDatabase database = new NewDatabase();

    private Connection own;
    private Statement sql;

    @BeforeEach
    void make() throws SQLException {
        database.slipring().create(RingSpec.named("lent"));
        own = database.other();
        sql = own.createStatement();
        sql.execute("CREATE TABLE mine (n int)");
        own.setAutoCommit(false);
    }

    private Slipring open() {
        return Slipring.open(Options.dataSource(OneConnection.of(own), "postgresql"));
    }

    private long mine() throws SQLException {
        return database.number("SELECT count(*) FROM mine");
    }

    @Test
    void whatIsWrittenThereIsRefused() throws SQLException {
        try (Slipring slipring = open()) {
            Ring ring = slipring.ring("lent");
            sql.execute("INSERT INTO mine VALUES (1)");
            assertThatThrownBy(() -> ring.push("x"))
                    .isInstanceOf(StoreFailed.class)
                    .hasMessageContaining("what hands out the connection of the thread's own");
            own.commit();
            assertThat(mine()).isEqualTo(1);
            ring.push("y");
            assertThat(ring.info().pushed()).isEqualTo(1);
        }
    }

    @Test
    void aStoreIsNotOpenedThereEither() throws SQLException {
        sql.execute("INSERT INTO mine VALUES (1)");
        assertThatThrownBy(this::open)
                .isInstanceOf(StoreFailed.class)
                .hasMessageContaining("give Slipring the plain pool");
        own.rollback();
        assertThat(mine()).isZero();
    }

    /** A framework has turned auto-commit off, and the application has not run a statement yet. */
    @Test
    void whatComesAfterwardsIsTheThreadsOwn() throws SQLException {
        try (Slipring slipring = open()) {
            Ring ring = slipring.ring("lent");
            ring.push("x");
            assertThat(own.getAutoCommit()).isFalse();
            sql.execute("INSERT INTO mine VALUES (1)");
            own.rollback();
            assertThat(mine()).isZero();
            assertThat(ring.info().pushed()).isEqualTo(1);
        }
    }

    /**
     * A transaction that has only read is no reason to refuse: a pool without auto-commit leaves
     * one when it tests a connection.
     */
    @Test
    void whatHasOnlyBeenReadIsNoReason() throws SQLException {
        try (Slipring slipring = open()) {
            sql.execute("SELECT 1");
            slipring.ring("lent").push("x");
            assertThat(own.getAutoCommit()).isFalse();
        }
    }

    /** The driver's XA, for example, leaves a connection in auto-commit mode. */
    @Test
    void whatIsOpenInAutoCommitModeIsRefused() throws SQLException {
        own.setAutoCommit(true);
        try (Slipring slipring = open()) {
            Ring ring = slipring.ring("lent");
            sql.execute("BEGIN");
            assertThatThrownBy(() -> ring.push("x"))
                    .isInstanceOf(StoreFailed.class)
                    .hasMessageContaining("give Slipring the plain pool");
            sql.execute("ROLLBACK");
            ring.push("y");
            assertThat(ring.info().pushed()).isEqualTo(1);
        }
    }
}
