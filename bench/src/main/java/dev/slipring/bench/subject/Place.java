// SPDX-License-Identifier: Apache-2.0
package dev.slipring.bench.subject;

import java.sql.Connection;
import java.sql.SQLException;

/** Where a queue keeps its messages. Closing removes it with all that is in it. */
public interface Place extends AutoCloseable {

    /**
     * A string that stays the same as long as nothing is written; empty if nothing is ever written.
     */
    String fingerprint();

    /** A connection to the database that it is in. */
    default Connection connect() throws SQLException {
        throw new UnsupportedOperationException("it is in no database");
    }

    @Override
    void close();
}
