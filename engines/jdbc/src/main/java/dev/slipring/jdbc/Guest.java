// SPDX-License-Identifier: Apache-2.0
package dev.slipring.jdbc;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * What a server wants on connections that are not our own: those that a pool of the user's lends,
 * and those of a caller's transaction. Their settings are not ours, and are left as they were.
 */
interface Guest {

    /** Which option of the driver, with which the store cannot work, a connection has, in words. */
    default Optional<String> wrongOption(Connection connection) {
        return Optional.empty();
    }

    /**
     * A query that says which setting a connection that was lent has with which the store cannot
     * work, in a row; {@code nothing} for none. No row is a setting, too.
     */
    default Optional<String> lentSetting() {
        return Optional.empty();
    }

    /** An expression that says the same of the connection of a caller. */
    default Optional<String> callersSetting() {
        return Optional.empty();
    }

    /**
     * The end of a query of one row, so that it gives the row whatever a caller's connection is set
     * to.
     */
    default String anyRow() {
        return "";
    }

    /**
     * Whether a connection has a transaction open. Asked where it is not in auto-commit mode; must
     * not begin one.
     */
    default boolean isOpen(Session session) {
        return false;
    }

    /**
     * At which isolation level a connection has to be while the store has it, so that a query
     * outside of a transaction waits for nobody; empty if it may stay as it is.
     */
    default OptionalInt level(Connection connection) {
        return OptionalInt.empty();
    }

    /** Begins a transaction that reads and writes what is committed. */
    List<String> begin();

    /** A query of one number: what a transaction that is begun here sets, and gives back. */
    default Optional<String> keeps() {
        return Optional.empty();
    }

    /**
     * What is set back after a transaction, however that ended.
     *
     * @param kept what the connection had, as {@link #keeps} said; null if it was not asked
     */
    default List<String> end(Connection connection, Long kept) {
        return List.of();
    }

    /** Whether a query in a caller's transaction may leave out rows that others keep locked. */
    default boolean mayLeaveOut(Connection caller) {
        return true;
    }

    /** Sets the point to which a caller's transaction goes back where our work in it fails. */
    default ReturnPoint returnPoint(Connection caller) throws SQLException {
        return ReturnPoint.ofDriver(caller);
    }

    /** What runs scripts in a caller's transaction, on the caller's connection. */
    Session callersSession(Connection caller);
}
