// SPDX-License-Identifier: Apache-2.0
package dev.slipring.postgresql;

import dev.slipring.SlipringException;
import dev.slipring.engine.Passwords;
import dev.slipring.sql.Lent;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.Set;

/**
 * Tells whether a caller's transaction did not find something because it is in another database
 * than the store. Asked only after something has failed; by then the transaction itself answers
 * nothing.
 */
final class OtherDatabase {

    /** No such function, schema or table: by the catalog, which is as of now at every level. */
    private static final Set<String> NOT_THERE = Set.of("42883", "3F000", "42P01");

    /** No such ring, another ring, no right: an old snapshot, or another role, may say so too. */
    private static final Set<String> NOT_SEEN = Set.of("SLR01", "SLR07", "42501");

    private final Connections connections;
    private final Connection caller;

    /** Whether a caller is in another database than the connections of a store. */
    OtherDatabase(Connections connections, Connection caller) {
        this.connections = connections;
        this.caller = caller;
    }

    /**
     * Where both are, in words, if that is why work on the ring of that name and id failed; else
     * null. If only the names of the databases differ, this is no more than a hint added to the
     * error: a database may have several names.
     */
    String words(SqlFailed failure, String said, String ring, long id) {
        boolean notThere = NOT_THERE.contains(failure.state());
        if (!notThere && !NOT_SEEN.contains(failure.state())) {
            return null;
        }
        try (Lent lent = connections.connect()) {
            Connection own = lent.connection();
            String here = place(own);
            String there = place(caller);
            if (notThere ? !isIn(own, id) : !differ(database(here), database(there))) {
                return null;
            }
            String places =
                    "the connection is to " + there + ", the ring '" + ring + "' is in " + here;
            return notThere
                    ? places + "; a transaction is within one database; nothing was stored"
                    : said + "; " + places;
        } catch (SQLException | SqlFailed | SlipringException e) {
            // The first error has to do.
            return null;
        }
    }

    private static boolean isIn(Connection own, long id) {
        return new Statements(own)
                .number("SELECT 1 FROM slipring.ring WHERE id OPERATOR(pg_catalog.=) ?", id)
                .isPresent();
    }

    /** Host, port and database as the driver was told them; its options may have a password. */
    private static String place(Connection connection) throws SQLException {
        String url = Passwords.maskedUrl(connection.getMetaData().getURL());
        return url.replaceFirst("^jdbc:postgresql:(//)?", "").split("\\?", -1)[0];
    }

    /** The last part of a place; empty where the driver was told none. */
    private static String database(String place) {
        return place.substring(place.lastIndexOf('/') + 1);
    }

    /** By name: one server may have several addresses. */
    private static boolean differ(String database, String other) {
        return !database.isEmpty() && !other.isEmpty() && !database.equals(other);
    }
}
