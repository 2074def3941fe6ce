// SPDX-License-Identifier: Apache-2.0
package dev.slipring.jdbc;

import dev.slipring.SlipringException;

/** The errors of a server: what they mean for work, and in words. */
interface Trouble {

    /** Whether a transaction of ours that failed may be run again. */
    boolean isRetryable(SqlFailed failure);

    /**
     * Whether it failed because others kept locked what it needs for longer than a session waits.
     */
    boolean isLockWait(SqlFailed failure);

    /** Whether somebody stopped a statement, so that it may have committed before. */
    boolean isStopped(SqlFailed failure);

    /** Whether the server takes no changes, or not any more. */
    boolean isReadOnly(SqlFailed failure);

    /**
     * Whether a statement was refused since the connection is in a distributed transaction, in
     * which none of ours can be.
     */
    default boolean isDistributed(SqlFailed failure) {
        return false;
    }

    /** Whether a call failed because there are no procedures here that this user may call. */
    default boolean isWithoutProcedures(SqlFailed failure) {
        return false;
    }

    /** What an error means for work that has not happened. */
    SlipringException explain(SqlFailed failure, String server);

    /** What an error means in a transaction of the caller. */
    SlipringException inJoined(SqlFailed failure, String server);
}
