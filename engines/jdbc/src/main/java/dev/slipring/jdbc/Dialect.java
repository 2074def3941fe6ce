// SPDX-License-Identifier: Apache-2.0
package dev.slipring.jdbc;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.Optional;
import java.util.function.BooleanSupplier;

/** What differs between servers: their SQL, their connections, and their errors in words. */
interface Dialect {

    /** What the driver may call the product, in upper or lower case. */
    List<String> products();

    /** Reads a URL. */
    default ServerUrl url(String url) {
        return ServerUrl.parse(url);
    }

    /** Opens a connection of our own. */
    Connection connect(ServerUrl url) throws SQLException;

    /** What is run on a new connection of our own. */
    List<String> greeting();

    /**
     * What runs scripts on a connection.
     *
     * @param ours whether the connection is our own, and not a user's
     * @param packet how many bytes may be sent at once
     */
    Session session(Connection connection, boolean ours, long packet);

    /** A query that says how many bytes may be sent at once; fails where the store cannot work. */
    String packetQuery();

    /** How many bytes the driver of a connection sends at once, whatever the server takes. */
    default long mostSent(Connection connection) {
        return Long.MAX_VALUE;
    }

    /** An expression: milliseconds since 1970, now. */
    String now();

    /**
     * An expression: the server and the database that a connection is to, in words. Servers that
     * have all names in common say the same.
     */
    String place();

    /** A query of one table. */
    String select(String columns, String table, String whereAndOrder, Lock lock);

    /** A statement that deletes rows of a table, which it finds by the primary key. */
    default String delete(String table, String where) {
        return "DELETE FROM " + table + " WHERE " + where;
    }

    /** The end of a query that wants so many rows. */
    String limit(int rows);

    /** How many bytes a column of bytes has. */
    String bytesOf(String column);

    /** No bytes, as a value in a statement. */
    String noBytes();

    /** What gives a new ring its id; the last of it is a query. */
    List<String> nextRing();

    /** What it means if that query has no row, in words. */
    default String noNextRing() {
        return "the server gave no id for a new ring";
    }

    /**
     * How many characters a stage and all before it may have in their names, with commas between.
     */
    default int mostNames() {
        return Integer.MAX_VALUE;
    }

    /** A query with a row, in words, for each thing that is wrong whatever the ring. */
    default Optional<String> wrongQuery() {
        return Optional.empty();
    }

    /**
     * Writes a slot into its cell; one that somebody has deleted is made anew.
     *
     * @param slot ring, lane, cell, turn, first_position, messages, producer, number, pushed_at,
     *     size, pieces, body
     * @param joined whether the transaction is a caller's, and stays open for as long as he likes
     */
    Script putSlot(Object[] slot, boolean joined);

    /** Makes the cells of an extent. */
    Script makeCells(long ring, int lane, Extent extent);

    /** Begins a transaction that reads and writes what is committed, on a greeted connection. */
    List<String> begin();

    /** Begins a transaction that reads one consistent state. */
    List<String> beginReading();

    /**
     * What keeps the ring of a name unchanged to the end of such a transaction; run before the ring
     * is looked for, returns no rows. Empty where the transaction alone does so.
     */
    default Optional<String> keepReading() {
        return Optional.empty();
    }

    /**
     * What runs before a query that has to see changes that others have not committed; empty where
     * such a query may leave rows out.
     */
    default Optional<String> uncommitted() {
        return Optional.empty();
    }

    /** Ends a transaction so that it holds. */
    default String commit() {
        return "COMMIT";
    }

    /** Ends a transaction as if it had never been. */
    default String rollback() {
        return "ROLLBACK";
    }

    /** The scripts of the schema. */
    List<String> scripts();

    /**
     * Makes or upgrades the tables; of several processes that try at once one does it, and the
     * others wait.
     *
     * @param isDone asked once nobody else is at it: whether there is nothing left to do
     */
    void migrate(Session session, List<String> scripts, BooleanSupplier isDone);

    /** A query: whether the table slipring_schema is there. */
    String schemaQuery();

    /** A query: how many bytes our tables have. */
    String sizeQuery();

    /** What tells where the server's time goes. */
    List<WaitQuery> waitQueries();

    /**
     * What takes back the room that the lanes of a ring were given in advance; empty where none is
     * given. To be run under the locks of all fronts.
     */
    default Optional<String> takeRoomBack() {
        return Optional.empty();
    }

    /**
     * Whether the scripts make the procedures that {@link PushCall}, {@link ClaimCall} and {@link
     * MoveCall} call.
     */
    boolean hasProcedures();

    /** What differs on connections that are not our own. */
    Guest guest();

    /** What the server's errors mean. */
    Trouble trouble();
}
