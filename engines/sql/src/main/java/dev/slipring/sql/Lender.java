// SPDX-License-Identifier: Apache-2.0
package dev.slipring.sql;

import java.sql.Connection;
import java.sql.SQLException;

/**
 * What gives out connections, as a pool does. A thread that is interrupted while it waits for one
 * is refused by a pool; but it may be writing for others, whom the interrupt does not concern.
 */
@FunctionalInterface
public interface Lender {

    /** A connection; whoever takes it closes it. */
    Connection connect() throws SQLException;

    /**
     * A connection, for which an interrupted thread goes on to wait. The interrupt is not lost: the
     * thread is interrupted again afterwards.
     */
    static Connection lend(Lender lender) throws SQLException {
        boolean interrupted = false;
        try {
            while (true) {
                try {
                    return lender.connect();
                } catch (SQLException e) {
                    if (!(e.getCause() instanceof InterruptedException)) {
                        throw e;
                    }
                    interrupted = true;
                    Thread.interrupted();
                }
            }
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }
}
