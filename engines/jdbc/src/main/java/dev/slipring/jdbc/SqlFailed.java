// SPDX-License-Identifier: Apache-2.0
package dev.slipring.jdbc;

import java.sql.SQLException;
import java.sql.SQLNonTransientConnectionException;
import java.sql.SQLRecoverableException;
import java.sql.SQLTransientConnectionException;
import java.util.Objects;

/** An error of a server on its way through the ledger; the dialect puts it into words. */
final class SqlFailed extends RuntimeException {

    private static final long serialVersionUID = 1L;

    private final boolean lost;

    SqlFailed(SQLException cause) {
        this(cause, false);
    }

    /**
     * An error.
     *
     * @param lost whether the connection was lost with it, though it may not say so
     */
    SqlFailed(SQLException cause, boolean lost) {
        super(Objects.requireNonNullElseGet(cause.getMessage(), cause::toString), cause);
        this.lost = lost;
    }

    @Override
    public synchronized SQLException getCause() {
        return (SQLException) super.getCause();
    }

    /** The server's own number of the error. */
    int number() {
        return getCause().getErrorCode();
    }

    /** Whether the connection is lost, so that nothing more is known of what was sent. */
    boolean isConnectionLost() {
        SQLException cause = getCause();
        String state = cause.getSQLState();
        return lost
                || cause instanceof SQLNonTransientConnectionException
                || cause instanceof SQLRecoverableException
                || cause instanceof SQLTransientConnectionException
                || state != null && state.startsWith("08");
    }
}
