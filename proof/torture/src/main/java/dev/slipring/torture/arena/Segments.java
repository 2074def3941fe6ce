// SPDX-License-Identifier: Apache-2.0
package dev.slipring.torture.arena;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;

/**
 * Makes PostgreSQL's segments go round, in all orders. By themselves they would need millions of
 * messages for that.
 */
public final class Segments {

    /**
     * Follows the rules of the schema: one segment at a time, and only if the next one is empty.
     */
    private static final String NEXT =
            "SELECT CASE WHEN pg_try_advisory_xact_lock(hashtextextended('tidy ' || r.id, 7157))"
                    + " THEN CASE WHEN pg_relation_size(format('slipring.slot_%s_%s', r.id,"
                    + " (pg_sequence_last_value(r.turn) + 1) & 7)::regclass) = 0"
                    + " THEN setval(r.turn, pg_sequence_last_value(r.turn) + 1) END END"
                    + " FROM slipring.ring r";

    /** A statement that runs another one, since the name of a table cannot be a parameter. */
    private static final String READ =
            "SELECT query_to_xml(format('SELECT count(*) FROM slipring.slot_%s_%s', r.id,"
                + " pg_sequence_last_value(r.turn) & 7), false, false, '') FROM slipring.ring r";

    private Segments() {}

    /**
     * Lets the next segment begin, as if the present one were full. This is not undone if the
     * transaction is rolled back.
     */
    public static void next(Connection connection) throws SQLException {
        run(connection, NEXT);
    }

    /** Reads the present segment, which cannot be emptied until the transaction ends. */
    public static void read(Connection connection) throws SQLException {
        run(connection, READ);
    }

    private static void run(Connection connection, String query) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.executeQuery(query).close();
        }
    }
}
