// SPDX-License-Identifier: Apache-2.0
package dev.slipring.jdbc;

/** What may be wrong with the tables in MariaDB and MySQL, whatever rings are in them. */
final class MySqlTables {

    /**
     * The row that numbers the rings is lost. Ids begin below 2^22, so what is said makes one that
     * is above all that were ever given, unless a million rings were dropped behind the last.
     */
    static final String NO_NUMBER =
            "the row of slipring_id is not there, from which rings get their ids: a new ring could"
                    + " take the id of one that was dropped; create the row again, above the"
                    + " greatest id ever: INSERT INTO slipring_id (kind, next)"
                    + " SELECT 1, COALESCE(MAX(id), 4194304) + 1000000 FROM slipring_ring";

    /** A query with a row, in words, for each thing that is wrong. */
    static final String WRONG =
            "SELECT '"
                    + NO_NUMBER
                    + "' FROM DUAL WHERE NOT EXISTS (SELECT 1 FROM slipring_id WHERE kind = 1)"
                    + " UNION ALL SELECT CONCAT('the table ', table_name, ' is of the engine ',"
                    + " engine, ', which knows no transactions; run: ALTER TABLE ', table_name,"
                    + " ' ENGINE = InnoDB') FROM information_schema.tables"
                    + " WHERE table_schema = DATABASE() AND table_name LIKE 'slipring\\_%'"
                    + " AND engine <> 'InnoDB'";

    private MySqlTables() {}
}
