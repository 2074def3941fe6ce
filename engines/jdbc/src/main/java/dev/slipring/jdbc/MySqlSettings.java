// SPDX-License-Identifier: Apache-2.0
package dev.slipring.jdbc;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;

/** What sessions of MariaDB and MySQL are set to, and what others' must not be. */
final class MySqlSettings {

    /** The mode of our sessions, and of the procedures, which keep the one they were made in. */
    static final String MODE =
            "SET SESSION sql_mode = 'STRICT_TRANS_TABLES,NO_ENGINE_SUBSTITUTION'";

    /**
     * An expression: what somebody else's session has that we cannot bear. SYSDATE alone does not
     * follow a timestamp that is set; it may be an hour off where clocks are set back behind a
     * statement's begin, or as late as a statement has waited for a lock.
     */
    static final String OF_OTHERS =
            "CASE WHEN @@sql_select_limit < 18446744073709551615"
                    + " THEN 'sql_select_limit set, and rows would be left out'"
                    + " WHEN ABS(TIMESTAMPDIFF(HOUR, NOW(), SYSDATE())) > 1"
                    + " THEN 'timestamp set, and it would be another time'"
                    + " WHEN FIND_IN_SET('EMPTY_STRING_IS_NULL', @@sql_mode) > 0"
                    + " THEN 'EMPTY_STRING_IS_NULL in its sql_mode, and texts would be lost'"
                    + " WHEN FIND_IN_SET('ORACLE', @@sql_mode) > 0"
                    + " THEN 'ORACLE in its sql_mode, and statements would not be understood'"
                    + " ELSE 'nothing' END";

    /**
     * An expression: the same of a connection that its driver says is in auto-commit mode. A server
     * that has it off for everybody, as MySQL can, does not tell MariaDB's driver.
     */
    static final String OF_LENT =
            "CASE WHEN @@autocommit = 0"
                    + " THEN 'auto-commit off, which its driver does not know (it does with"
                    + " autocommit=true in its URL)'"
                    + " ELSE ("
                    + OF_OTHERS
                    + ") END";

    /** What a server may have limited for everybody, and would change what we read or commit. */
    private static final String WHOLE =
            "SET SESSION sql_select_limit = 18446744073709551615, sql_big_selects = 1,"
                    + " completion_type = 'NO_CHAIN'";

    /** For rows, and for tables that somebody locks or changes: for those it would be a day. */
    private static final String WAITS =
            "SET SESSION innodb_lock_wait_timeout = 1, lock_wait_timeout = 1";

    /**
     * What ends the session of a process that is gone without a word, by how many seconds it is
     * idle; on MariaDB less in a transaction, and MySQL takes that for a comment. It bounds as well
     * how long we wait for a result that does not come: a statement that is stopped behind its
     * result ends the text that it is in, and the server, which said that more follows, says
     * nothing of it.
     */
    private static final String OF_THE_GONE =
            ", wait_timeout = 60 /*M! , idle_transaction_timeout = 30 */";

    /**
     * MySQL tells how large tables are as it knew it a day ago; MariaDB takes that for a comment.
     */
    private static final String NEWLY = "/*!80003 , information_schema_stats_expiry = 0 */";

    /** What is run on a new connection of our own. */
    static final List<String> GREETING =
            List.of(
                    MODE,
                    WHOLE,
                    WAITS + OF_THE_GONE + NEWLY,
                    "SET SESSION TRANSACTION READ WRITE",
                    "SET SESSION TRANSACTION ISOLATION LEVEL READ COMMITTED",
                    "SET autocommit = 1");

    private MySqlSettings() {}

    /**
     * Whether a server is a node of a Galera cluster. There a transaction gives way to one of
     * another node at any moment; and if that is between two statements of one text, MariaDB runs
     * the second again by itself and commits it, without the first.
     */
    static boolean isCertified(Connection connection) {
        try (Statement statement = connection.createStatement();
                ResultSet on = statement.executeQuery("SHOW VARIABLES LIKE 'wsrep_on'")) {
            return on.next() && on.getString(2).equals("ON");
        } catch (SQLException e) {
            // Whatever it is: one statement at a time is never wrong.
            return true;
        }
    }

    /**
     * Whether a session has a transaction open. MySQL tells that nobody without further rights, but
     * both servers refuse this within one; outside, the next may write, as ours has to.
     */
    static boolean isOpen(Session session) {
        try {
            session.run(new Script().run("SET TRANSACTION READ WRITE"));
            return false;
        } catch (SqlFailed failed) {
            if (failed.number() == MySqlTrouble.IN_TRANSACTION) {
                return true;
            }
            throw failed;
        }
    }
}
