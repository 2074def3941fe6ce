// SPDX-License-Identifier: Apache-2.0
package dev.slipring.sqlite;

import static org.assertj.core.api.Assertions.assertThat;

import dev.slipring.engine.Store;
import dev.slipring.ledger.AsideTable;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.sqlite.ProgressHandler;

import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A stage may keep very much: what needs one row of it does not read the others. Counted by the
 * steps of SQLite's.
 */
class KeptTest {

    private static final int MANY = 2_000;

    @TempDir private Path folder;

    private Store store;
    private Connection other;

    @BeforeEach
    void open() throws SQLException {
        store = Given.ring(folder.resolve("x.db"));
        other = Given.jdbc(folder.resolve("x.db"));
    }

    @AfterEach
    void close() throws SQLException {
        other.close();
        store.close();
    }

    /** For a survey. */
    @Test
    void whatIsInHandIsFoundWithoutTheOthers() throws SQLException {
        keep("waiting");
        run("UPDATE slipring_aside SET epoch = 7 WHERE position = 9");
        assertThat(steps(aside -> assertThat(aside.inHand(1, "main")).hasSize(1)))
                .isLessThan(MANY);
    }

    /** With each message that leaves the ring it is looked for what was dropped and can go. */
    @Test
    void aDroppedLetterIsFoundWithoutTheOthers() throws SQLException {
        keep("dead");
        run("UPDATE slipring_aside SET state = 'dropped' WHERE position = 9");
        assertThat(steps(aside -> assertThat(aside.deleteDropped(1, "main", 0, MANY)).isOne()))
                .isLessThan(MANY);
    }

    private void keep(String state) throws SQLException {
        run(
                "WITH RECURSIVE n (p) AS (SELECT 0 UNION ALL SELECT p + 1 FROM n WHERE p + 1 < ?)"
                        + " INSERT INTO slipring_aside (ring, stage, lane, position, state,"
                        + " blocks, attempts, due, epoch, error, worker, failed_at, pushed_at,"
                        + " message) SELECT 1, 'main', 0, p, ?, 0, 1, 0, 0, '', '', 0, 0, x''"
                        + " FROM n",
                MANY,
                state);
    }

    private void run(String sql, Object... values) throws SQLException {
        try (Statements statements = new Statements(other)) {
            statements.update(sql, values);
        }
    }

    private interface Look {
        void at(AsideTable aside);
    }

    /** About how many steps a look at what is kept takes. */
    private int steps(Look look) throws SQLException {
        AtomicInteger hundreds = new AtomicInteger();
        ProgressHandler.setHandler(other, 100, counting(hundreds));
        try (Statements statements = new Statements(other)) {
            look.at(new SqliteAside(statements));
        }
        ProgressHandler.clearHandler(other);
        return 100 * hundreds.get();
    }

    private static ProgressHandler counting(AtomicInteger calls) {
        return new ProgressHandler() {
            @Override
            protected int progress() {
                calls.incrementAndGet();
                return 0;
            }
        };
    }
}
