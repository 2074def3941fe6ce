// SPDX-License-Identifier: Apache-2.0
package dev.slipring.jdbc;

import java.sql.Connection;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;

/** Connections of users to SQL Server. */
final class SqlServerGuest implements Guest {

    /** How many transactions a connection has open, one within another. */
    static final String OPEN = "SELECT @@TRANCOUNT";

    /** Whether what is read is cut off, as the end of a CASE. */
    private static final String CUTS_OFF =
            " WHEN @@TEXTSIZE BETWEEN 0 AND 2147483646 THEN N'a TEXTSIZE that cuts messages off'"
                    + " ELSE N'nothing' END";

    /** Where this is on, to begin a transaction begins two, of which a commit ends one. */
    private static final String IMPLICIT =
            "SELECT CASE WHEN @@OPTIONS & 2 = 2 THEN N'IMPLICIT_TRANSACTIONS ON'" + CUTS_OFF;

    @Override
    public Optional<String> lentSetting() {
        return Optional.of(IMPLICIT);
    }

    /** In such a snapshot a change of the ring changes nothing, and nothing says so. */
    @Override
    public Optional<String> callersSetting() {
        return Optional.of(
                "CASE WHEN NOT EXISTS (SELECT 1 FROM slipring_ring seen WHERE seen.id ="
                        + " slipring_ring.id) THEN N'a snapshot from before the ring was made'"
                        + CUTS_OFF);
    }

    @Override
    public boolean isOpen(Session session) {
        Answer<Long> open = new Answer<>(0L, row -> row.getLong(1));
        session.run(new Script().read(OPEN, open));
        return open.value() > 0;
    }

    @Override
    public OptionalInt level(Connection connection) {
        return SqlServerLevel.ofGuest(connection);
    }

    /** A connection of the user's pool would wait for a lock as long as it takes. */
    @Override
    public List<String> begin() {
        List<String> begin = new ArrayList<>(List.of(SqlServerDialect.LOCK_TIMEOUT));
        begin.addAll(SqlServerDialect.BEGIN);
        return begin;
    }

    @Override
    public Optional<String> keeps() {
        return Optional.of("SELECT @@LOCK_TIMEOUT");
    }

    @Override
    public List<String> end(Connection connection, Long kept) {
        List<String> end = new ArrayList<>();
        if (kept != null) {
            end.add("SET LOCK_TIMEOUT " + kept);
        }
        end.add("SET TRANSACTION ISOLATION LEVEL " + SqlServerLevel.words(connection));
        return end;
    }

    /** Error 650 refuses READPAST at other levels, whatever else is said beside it. */
    @Override
    public boolean mayLeaveOut(Connection caller) {
        int level = SqlServerLevel.of(caller);
        return level == Connection.TRANSACTION_READ_COMMITTED
                || level == Connection.TRANSACTION_REPEATABLE_READ;
    }

    @Override
    public Session callersSession(Connection caller) {
        return new BatchSession(caller, Long.MAX_VALUE);
    }
}
