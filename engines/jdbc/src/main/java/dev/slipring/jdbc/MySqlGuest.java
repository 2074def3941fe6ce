// SPDX-License-Identifier: Apache-2.0
package dev.slipring.jdbc;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.Optional;

/** Connections of users to MariaDB and MySQL. */
final class MySqlGuest implements Guest {

    /** A limit in a query takes the place of the session's. */
    private static final String ANY_ROW = " LIMIT 1";

    @Override
    public Optional<String> wrongOption(Connection connection) {
        return MySqlOptions.wrong(connection);
    }

    @Override
    public Optional<String> lentSetting() {
        return Optional.of("SELECT " + MySqlSettings.OF_LENT);
    }

    @Override
    public Optional<String> callersSetting() {
        return Optional.of(MySqlSettings.OF_OTHERS);
    }

    @Override
    public String anyRow() {
        return ANY_ROW;
    }

    @Override
    public boolean isOpen(Session session) {
        return MySqlSettings.isOpen(session);
    }

    @Override
    public List<String> begin() {
        return List.of("SET TRANSACTION ISOLATION LEVEL READ COMMITTED", "START TRANSACTION");
    }

    @Override
    public ReturnPoint returnPoint(Connection caller) throws SQLException {
        return ReturnPoint.inWords(caller);
    }

    @Override
    public Session callersSession(Connection caller) {
        return new CallersSession(caller);
    }
}
