// SPDX-License-Identifier: Apache-2.0
package dev.slipring.jdbc;

import java.sql.Connection;
import java.util.List;

/**
 * A caller's connection to MariaDB or MySQL, in the caller's transaction.
 *
 * <p>Since 11.6.2 MariaDB refuses by default to lock a row that has changed since the transaction
 * first read anything, and rolls back the whole transaction (innodb_snapshot_isolation). The rows
 * of a ring change with each push and claim, so hardly any transaction that reads before it pushes
 * would succeed. What is changed here is read under a lock, which sees the committed state, so the
 * check has nothing to protect. It is off for each of our statements, and stays on for the
 * caller's.
 */
final class CallersSession extends Session {

    /**
     * MySQL takes it for a comment, as does a MariaDB that may not have the setting. From 11.4.2 on
     * all have it.
     */
    private static final String UNCHECKED =
            "/*M!110402 SET STATEMENT innodb_snapshot_isolation = 0 FOR */ ";

    CallersSession(Connection connection) {
        super(connection, false, Long.MAX_VALUE);
    }

    @Override
    String prefix(List<Script.Step> steps) {
        return UNCHECKED;
    }
}
