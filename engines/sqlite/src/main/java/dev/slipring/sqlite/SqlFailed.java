// SPDX-License-Identifier: Apache-2.0
package dev.slipring.sqlite;

import org.sqlite.SQLiteErrorCode;
import org.sqlite.SQLiteException;

import java.sql.SQLException;
import java.util.Objects;

/** An error of SQLite on its way through the ledger; {@link Trouble} puts it into words. */
final class SqlFailed extends RuntimeException {

    private static final long serialVersionUID = 1L;

    SqlFailed(SQLException cause) {
        super(Objects.requireNonNullElseGet(cause.getMessage(), cause::toString), cause);
    }

    /** The first byte of SQLite's result code. */
    SQLiteErrorCode code() {
        return SQLiteErrorCode.getErrorCode(extended().code & 0xFF);
    }

    /** SQLite's result code, with the details that it has. */
    SQLiteErrorCode extended() {
        for (Throwable at = getCause(); at != null; at = at.getCause()) {
            if (at instanceof SQLiteException failure) {
                return failure.getResultCode();
            }
        }
        return SQLiteErrorCode.SQLITE_ERROR;
    }

    /** Whether a lock of somebody else was in the way, so that trying again may help. */
    boolean isBusy() {
        // SQLITE_PROTOCOL: a process was stopped while it was writing the index of the log.
        return code() == SQLiteErrorCode.SQLITE_PROTOCOL
                || code() == SQLiteErrorCode.SQLITE_BUSY
                        && extended() != SQLiteErrorCode.SQLITE_BUSY_SNAPSHOT;
    }
}
