// SPDX-License-Identifier: Apache-2.0
package dev.slipring.torture.arena;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;

/**
 * PostgreSQL's segments, which take millions of messages to go round by themselves: here they are
 * made to, in all orders.
 */
public final class Segments {

    /** By the rules of the schema: one at a time, and only where the next one is empty. */
    private static final String NEXT =
            "SELECT CASE WHEN pg_try_advisory_xact_lock(hashtextextended('tidy ' || r.id, 7157))"
                    + " THEN CASE WHEN pg_relation_size(format('slipring.slot_%s_%s', r.id,"
                    + " (pg_sequence_last_value(r.turn) + 1) & 7)::regclass) = 0"
                    + " THEN setval(r.turn, pg_sequence_last_value(r.turn) + 1) END END"
                    + " FROM slipring.ring r";

    /** A statement within a statement, since a table's name cannot be a value. */
    private static final String READ =
            "SELECT query_to_xml(format('SELECT count(*) FROM slipring.slot_%s_%s', r.id,"
                + " pg_sequence_last_value(r.turn) & 7), false, false, '') FROM slipring.ring r";

    private Segments() {}

    /**
     * Lets the next segment begin, as if the present one was full; that stays whatever becomes of
     * the transaction.
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
