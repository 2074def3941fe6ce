// SPDX-License-Identifier: Apache-2.0
package dev.slipring.sql;

import dev.slipring.StoreFailed;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.Collection;
import java.util.Optional;

/** A connection of a caller's, whose transaction a ring is to take part in. */
public final class CallersConnection {

    private CallersConnection() {}

    /**
     * Refuses a connection to another database product than the ring's.
     *
     * @param products what the driver may call it, in upper or lower case
     * @param where the ring is, in words, as "on server:port/database"
     * @throws StoreFailed if it is to another
     */
    public static void requireProduct(
            Connection connection, Collection<String> products, String where) throws SQLException {
        Optional<String> other = Product.other(connection, products);
        if (other.isPresent()) {
            throw new StoreFailed(
                    "the connection is one of "
                            + other.get()
                            + ", the ring is "
                            + where
                            + "; a transaction is within one database");
        }
    }

    /**
     * Refuses a connection that has no transaction to take part in.
     *
     * @throws StoreFailed if it commits each statement by itself
     */
    public static void requireTransaction(Connection connection) throws SQLException {
        if (connection.getAutoCommit()) {
            throw new StoreFailed(
                    "the connection is in auto-commit mode, so there is no transaction to join;"
                            + " call setAutoCommit(false), in a distributed transaction (XA) too");
        }
    }
}
