// SPDX-License-Identifier: Apache-2.0
package dev.slipring.sqlite;

import dev.slipring.ledger.AsideTable;

import org.sqlite.ProgressHandler;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.concurrent.atomic.AtomicInteger;

/** What the stages of a ring keep, put there row by row, and what a look at it costs. */
final class Kept {

    private static final int STEPS = 100;

    private Kept() {}

    interface Look {
        void at(AsideTable aside);
    }

    /** Puts messages into the ring's first lane, from position 0 on. */
    static void put(Connection connection, String stage, String state, int messages)
            throws SQLException {
        try (Statements statements = new Statements(connection)) {
            statements.update(
                    "WITH RECURSIVE n (p) AS (SELECT 0 UNION ALL SELECT p + 1 FROM n"
                            + " WHERE p + 1 < ?) INSERT INTO slipring_aside (ring, stage, lane,"
                            + " position, state, blocks, attempts, due, epoch, error, worker,"
                            + " failed_at, pushed_at, message)"
                            + " SELECT 1, ?, 0, p, ?, 0, 1, 0, 0, '', '', 0, 0, x'' FROM n",
                    messages,
                    stage,
                    state);
        }
    }

    /** About how many of SQLite's steps a look takes. */
    static long steps(Connection connection, Look look) throws SQLException {
        try (Statements statements = new Statements(connection)) {
            return steps(connection, () -> look.at(new SqliteAside(statements)));
        }
    }

    /** About how many of SQLite's steps some work on a connection takes. */
    static long steps(Connection connection, Runnable work) throws SQLException {
        AtomicInteger calls = new AtomicInteger();
        ProgressHandler.setHandler(connection, STEPS, counting(calls));
        work.run();
        ProgressHandler.clearHandler(connection);
        return (long) STEPS * calls.get();
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
