// SPDX-License-Identifier: Apache-2.0
package dev.slipring.jdbc;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Savepoint;
import java.sql.Statement;

/** Where a caller's transaction stood before our work in it, so that it can go back there. */
@FunctionalInterface
interface ReturnPoint {

    /** One name, so that each takes the place of the one before, and a server keeps one of all. */
    String NAME = "slipring_before";

    /** Takes back what came since. */
    void rollBack() throws SQLException;

    /** A savepoint of the driver's. */
    static ReturnPoint ofDriver(Connection caller) throws SQLException {
        Savepoint point = caller.setSavepoint(NAME);
        return () -> caller.rollback(point);
    }

    /** One in words, for drivers that refuse theirs in a distributed transaction. */
    static ReturnPoint inWords(Connection caller) throws SQLException {
        execute(caller, "SAVEPOINT " + NAME);
        return () -> execute(caller, "ROLLBACK TO SAVEPOINT " + NAME);
    }

    private static void execute(Connection caller, String sql) throws SQLException {
        try (Statement statement = caller.createStatement()) {
            statement.execute(sql);
        }
    }
}
