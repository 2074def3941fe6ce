// SPDX-License-Identifier: Apache-2.0
package dev.slipring.bench.subject;

import java.sql.Connection;
import java.sql.SQLException;

/** A place in a database to which other processes can connect too. */
public interface SqlPlace extends SharedPlace {

    @Override
    Connection connect() throws SQLException;

    /** How many bytes the server has ever written to its log, for all databases. */
    long logBytes();

    /** How large the tables are now. */
    Sizes sizes();

    /**
     * How large the tables are, each with its indexes and what is stored beside it.
     *
     * @param tables bytes of the tables that users have made
     * @param catalogs bytes of the database's own tables
     */
    record Sizes(long tables, long catalogs) {

        private static final int SHIFT = 20;

        /** Both in MiB. */
        @Override
        public String toString() {
            return (tables >> SHIFT) + "+" + (catalogs >> SHIFT) + " MiB";
        }
    }
}
