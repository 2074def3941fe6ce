// SPDX-License-Identifier: Apache-2.0
package dev.slipring.jdbc;

import com.microsoft.sqlserver.jdbc.ISQLServerConnection;

import java.sql.Connection;
import java.sql.SQLException;

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
