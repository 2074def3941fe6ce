// SPDX-License-Identifier: Apache-2.0
package dev.slipring.jdbc;

import com.microsoft.sqlserver.jdbc.ISQLServerConnection;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.OptionalInt;

/** The isolation level at which the driver takes a connection to be. */
final class SqlServerLevel {

    private SqlServerLevel() {}

    /** Microsoft's driver knows it and does not ask the server. */
    static int of(Connection connection) {
        try {
            return connection.getTransactionIsolation();
        } catch (SQLException e) {
            return Connection.TRANSACTION_READ_COMMITTED;
        }
    }

    /**
     * The level for a connection of a pool, if its own will not do. At REPEATABLE READ and
     * SERIALIZABLE a query waits for whoever has written a row and not committed yet, also for the
     * caller on whose behalf it looks, and then for ever. At SNAPSHOT it may not look into memory.
     */
    static OptionalInt ofGuest(Connection connection) {
        int level = of(connection);
        return level == Connection.TRANSACTION_READ_COMMITTED
                        || level == Connection.TRANSACTION_READ_UNCOMMITTED
                ? OptionalInt.empty()
                : OptionalInt.of(Connection.TRANSACTION_READ_COMMITTED);
    }

    /** The same in the words that set it. */
    static String words(Connection connection) {
        return switch (of(connection)) {
            case Connection.TRANSACTION_READ_UNCOMMITTED -> "READ UNCOMMITTED";
            case Connection.TRANSACTION_REPEATABLE_READ -> "REPEATABLE READ";
            case Connection.TRANSACTION_SERIALIZABLE -> "SERIALIZABLE";
            case ISQLServerConnection.TRANSACTION_SNAPSHOT -> "SNAPSHOT";
            default -> "READ COMMITTED";
        };
    }
}
