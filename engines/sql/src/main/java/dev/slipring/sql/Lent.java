// SPDX-License-Identifier: Apache-2.0
package dev.slipring.sql;

import dev.slipring.StoreFailed;

import java.sql.Connection;
import java.sql.SQLException;

/**
 * A connection of the application's data source, in auto-commit mode, and if need be at another
 * isolation level, for as long as a store has it. It goes back as it came. It may be the connection
 * of a transaction of the thread's own in which nothing was done yet, and what its owner does next
 * must not be committed at once.
 */
public final class Lent implements AutoCloseable {

    /** What is said of a connection with an open transaction, which to set it up would commit. */
    public static final String REFUSAL =
            "the data source gave a connection with an open transaction, which ours would commit;"
                    + " give Slipring the plain pool, and not what hands out the connection of the"
                    + " thread's own transaction, and take part in that with join";

    /** Whether something is open in a connection that its owner may still want to take back. */
    @FunctionalInterface
    public interface Look {
        boolean isOpen(Connection connection) throws SQLException;
    }

    private final Connection connection;
    private final boolean isAuto;

    /** At which isolation level it came; {@link Connection#TRANSACTION_NONE} if it still is. */
    private int level = Connection.TRANSACTION_NONE;

    private Lent(Connection connection, boolean isAuto) {
        this.connection = connection;
        this.isAuto = isAuto;
    }

    /**
     * Takes a connection, which is closed if it is not to be had.
     *
     * @param look asked where it is not in auto-commit mode
     * @throws StoreFailed if something is open in it
     */
    public static Lent of(Connection connection, Look look) throws SQLException {
        return of(connection, look, auto -> false);
    }

    /**
     * The same where a driver may call it auto-commit mode although something is open.
     *
     * @param auto asked where it is said to be in auto-commit mode
     */
    public static Lent of(Connection connection, Look look, Look auto) throws SQLException {
        boolean done = false;
        try {
            boolean isAuto = connection.getAutoCommit();
            if (isAuto && auto.isOpen(connection)) {
                throw new StoreFailed(REFUSAL);
            }
            if (!isAuto) {
                if (look.isOpen(connection)) {
                    throw new StoreFailed(REFUSAL);
                }
                connection.setAutoCommit(true);
            }
            done = true;
            return new Lent(connection, isAuto);
        } finally {
            if (!done) {
                connection.close();
            }
        }
    }

    /** The connection. */
    public Connection connection() {
        return connection;
    }

    /** Has it at an isolation level until it goes back. */
    public void at(int isolation) throws SQLException {
        int before = connection.getTransactionIsolation();
        connection.setTransactionIsolation(isolation);
        level = before;
    }

    @Override
    public void close() throws SQLException {
        try (connection) {
            boolean isOpen = !connection.isClosed();
            if (isOpen && level != Connection.TRANSACTION_NONE) {
                connection.setTransactionIsolation(level);
            }
            if (isOpen && !isAuto) {
                connection.setAutoCommit(false);
            }
        }
    }
}
