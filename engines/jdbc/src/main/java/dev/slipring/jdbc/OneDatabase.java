// SPDX-License-Identifier: Apache-2.0
package dev.slipring.jdbc;

import dev.slipring.StoreFailed;

import java.sql.ResultSet;
import java.sql.SQLException;

/**
 * Checks that a caller's transaction is in the database of the ring. Each connection says where it
 * is, in rows that are read anyway. If the databases differ, the caller's may have a ring of the
 * same id and version, and what was read in the one would be written in the other.
 */
final class OneDatabase {

    private boolean asked;
    private Place caller;
    private Place ring;
    private String tooFar;
    private String setting = "nothing";

    /**
     * Where a ring is.
     *
     * @param origin its random number, which tells it from those that were made elsewhere
     * @param words server and database, which tell it from its copies
     */
    private record Place(long origin, String words) {}

    /** The columns of slipring_ring that say where it is. */
    static String columns(Dialect dialect) {
        return "origin, " + dialect.place();
    }

    /** The caller's connection is being asked; it may not have the ring. */
    void askCaller() {
        asked = true;
        caller = null;
    }

    void caller(ResultSet row, int at) throws SQLException {
        caller = place(row, at);
    }

    /** What the caller's connection has that we cannot work with; {@code nothing} for none. */
    void setting(String words) {
        setting = words;
    }

    void ring(ResultSet row, int at) throws SQLException {
        ring = place(row, at);
    }

    private static Place place(ResultSet row, int at) throws SQLException {
        return new Place(row.getLong(at), row.getString(at + 1));
    }

    /**
     * The committed state of a lane was seen while the caller has its front locked. On one server
     * nobody can have pushed to it since. So if there is more than the caller found, the caller
     * locked a lane of another database, or another node of a cluster, where that lock does not
     * count, has pushed to it.
     */
    void seen(LaneState lane) {
        if (lane.committedHead() > lane.head()) {
            tooFar =
                    "lane "
                            + lane.number()
                            + " of the ring goes to "
                            + lane.committedHead()
                            + ", where the connection is it goes to "
                            + lane.head()
                            + ", so these are two databases, or another node of a cluster has"
                            + " written meanwhile; a transaction is within one database";
        }
    }

    /** What is said of a caller's connection with which we cannot work. */
    static StoreFailed refusal(String has) {
        return new StoreFailed("the connection has " + has + "; join one without it");
    }

    /** Refuses two databases, and a caller's connection with which we cannot work. */
    void check() {
        // This first: such a setting may be the reason why the rest is not seen.
        if (!setting.equals("nothing")) {
            throw refusal(setting);
        }
        if (asked && ring != null && !ring.equals(caller)) {
            throw new StoreFailed(
                    "the connection is to "
                            + (caller == null ? "a database without the ring" : caller.words())
                            + ", the ring is in "
                            + (caller != null && caller.words().equals(ring.words())
                                    ? "another database of that name"
                                    : ring.words())
                            + "; a transaction is within one database");
        }
        if (tooFar != null) {
            throw new StoreFailed(tooFar);
        }
    }
}
