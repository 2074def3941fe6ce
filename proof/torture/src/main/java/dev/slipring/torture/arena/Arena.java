// SPDX-License-Identifier: Apache-2.0
package dev.slipring.torture.arena;

import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Optional;

/**
 * The place of a store: how to reach it beside Slipring, and what can be done to it. One class for
 * each kind of engine; used by the controller and by its processes.
 */
public interface Arena {

    /** The place that a URL names. */
    static Arena of(String url) {
        if (url.startsWith("sqlite:") || url.startsWith("jdbc:sqlite:")) {
            return new SqliteArena(url);
        }
        throw new IllegalArgumentException(
                "torture needs a store that processes share, and knows sqlite:FILE; the URL is '"
                        + dev.slipring.Slipring.withoutPassword(url)
                        + "'");
    }

    /** The store's URL. */
    String url();

    /** How many lanes the ring is to have. */
    int lanes();

    /**
     * A connection of the caller's own, not in auto-commit mode.
     *
     * @param writes whether its transactions are going to write
     */
    Connection connect(boolean writes) throws SQLException;

    /** A folder for the journals if nobody names one. */
    Path journals();

    /**
     * Refuses a place where something is already.
     *
     * @throws IllegalArgumentException if something is there
     */
    void checkFree();

    /** The server, if there is one that can be killed and started. */
    default Optional<Server> server() {
        return Optional.empty();
    }

    /** The same kind of place on a small disk, for filling it; empty if the engine has no file. */
    default Optional<Arena> on(Path disk) {
        return Optional.empty();
    }
}
