// SPDX-License-Identifier: Apache-2.0
package dev.slipring.jdbc;

import dev.slipring.StoreFailed;

import java.sql.ResultSet;
import java.sql.SQLException;

/**
 * Where a caller's transaction is and where its ring is, each as its own connection says, in rows
 * that are read anyway. Another database may have a ring of the same id and version, and what is
 * read here would be written there.
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
     * What is committed of a lane was seen behind a lock of its front. Nobody can have pushed to it
     * since, so if there is more than who locked it found, that was another lane.
     */
    void seen(LaneState lane) {
        if (lane.committedHead > lane.head) {
            tooFar =
                    "lane "
                            + lane.lane
                            + " of the ring goes to "
                            + lane.committedHead
                            + ", where the connection is it goes to "
                            + lane.head
                            + ", so these are two databases; a transaction is within one";
        }
    }

    /** What is said of a caller's connection with which we cannot work. */
    static StoreFailed refusal(String has) {
        return new StoreFailed("the connection has " + has + "; join one without it");
    }

    /** Refuses two databases, and a caller's connection with which we cannot work. */
    void check() {
        // First, as it may be what keeps the rest from being seen.
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
