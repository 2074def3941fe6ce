// SPDX-License-Identifier: Apache-2.0
package dev.slipring.torture.arena;

import dev.slipring.engine.Passwords;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Optional;

/**
 * The place of a store: how to reach it without Slipring, and what can be done to it. One class for
 * each kind of engine; used by the controller and by its processes.
 */
public interface Arena extends AutoCloseable {

    /**
     * The place that a URL names. If the torture needs a server of its own, its programs are looked
     * for, but it is not started yet.
     */
    static Arena of(String url) {
        if (url.startsWith("sqlite:") || url.startsWith("jdbc:sqlite:")) {
            return new SqliteArena(url);
        }
        if (ServerAddress.accepts(url)) {
            return new ServerArena(ServerAddress.parse(url));
        }
        Optional<ServerKind> kind = ServerKind.of(url);
        if (kind.isPresent()) {
            return new ServerArena(OwnServer.in(kind.get(), url));
        }
        throw new IllegalArgumentException(
                "torture needs a store that processes share: sqlite:FILE, a server of yours as"
                        + " postgresql://…, mariadb://… or mysql://…, or a server of its own in a"
                        + " new folder as postgresql:FOLDER, mariadb:FOLDER or mysql:FOLDER; the"
                        + " URL is '"
                        + Passwords.maskedUrl(url)
                        + "'");
    }

    /** Refuses a place in a folder that does not exist, as its name may be misspelt. */
    static void checkParent(Path place) {
        Path parent = place.toAbsolutePath().getParent();
        if (!Files.isDirectory(parent)) {
            throw new IllegalArgumentException(
                    "there is no folder '" + parent + "' for '" + place + "'");
        }
    }

    /** Starts what has to run here. */
    default void open() throws IOException, InterruptedException {}

    /** The store's URL. */
    String url();

    /** The store's URL for clients whose connections are to be disturbed. */
    default String urlOnTheWire() {
        return url();
    }

    /** The database that keeps the store, in words, with its version. */
    String words() throws SQLException;

    /** How many lanes the ring is to have. */
    int lanes();

    /**
     * A connection of the caller's own, not in auto-commit mode.
     *
     * @param writes whether its transactions will write
     */
    Connection connect(boolean writes) throws SQLException;

    /** A folder for the journals if nobody names one. */
    Path journals();

    /**
     * Refuses a place where something is already; called when it is open.
     *
     * @throws IllegalArgumentException if something is there
     */
    void checkFree() throws SQLException;

    /** How many bytes the store has on its disk. */
    long bytes() throws IOException, SQLException;

    /** A text that changes with every write to the store; empty if others may write there, too. */
    default Optional<String> mark() throws IOException, SQLException {
        return Optional.empty();
    }

    /** Whether the store goes by a clock of its own, whatever its clients' clocks say. */
    default boolean hasClock() {
        return false;
    }

    /**
     * Whether a server that is killed may have forgotten claims and words that it answered in the
     * moment before.
     */
    default boolean forgets() {
        return false;
    }

    /** Whether pushes into several lanes at one time stay within the capacity. */
    default boolean isExact() {
        return true;
    }

    /** Whether the store has segments, and they can be made to go round. */
    default boolean hasSegments() {
        return false;
    }

    /** The server, if there is one that can be killed and started. */
    default Optional<OwnServer> server() {
        return Optional.empty();
    }

    /** The wire on which clients reach the server, if there is one. */
    default Optional<Wire> wire() {
        return Optional.empty();
    }

    /**
     * The same kind of place on a small disk that will be filled; empty if this kind cannot be on
     * one.
     */
    default Optional<Arena> on(Path disk) {
        return Optional.empty();
    }

    /** How many MiB a small disk needs so that everything fits until it is filled. */
    default int diskMebibytes() {
        return 256;
    }

    /** Removes what the torture has left, if nobody needs it any more. */
    default void clear() throws IOException, SQLException {}

    /** Ends what runs here. */
    @Override
    default void close() throws IOException {}
}
