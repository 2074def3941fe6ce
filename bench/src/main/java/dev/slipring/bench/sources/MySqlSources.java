// SPDX-License-Identifier: Apache-2.0
package dev.slipring.bench.sources;

import java.sql.CallableStatement;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** The texts' queues in procedures of MariaDB or MySQL. */
final class MySqlSources implements SourceEngine {

    private final boolean hasSequences;

    /**
     * Queues.
     *
     * @param hasSequences whether the server has them, and tables of numbers: MariaDB
     */
    MySqlSources(boolean hasSequences) {
        this.hasSequences = hasSequences;
    }

    @Override
    public List<SourceSystem> systems(long slots) {
        return new MySqlSystems(hasSequences, slots).all();
    }

    @Override
    public List<String> removal() {
        List<String> drops = new ArrayList<>();
        for (String name : List.of("ring", "push_counter", "pop_counter", "place")) {
            drops.add("DROP TABLE IF EXISTS source_" + name);
        }
        for (String way : List.of("push", "pop")) {
            if (hasSequences) {
                drops.add("DROP SEQUENCE IF EXISTS source_" + way + "_sequence");
            }
            drops.add("DROP PROCEDURE IF EXISTS source_" + way);
        }
        return drops;
    }

    @Override
    public List<String> making(SourceSystem system) {
        return Stream.concat(
                        system.tables().stream(),
                        Stream.of(procedure("push", system.push()), procedure("pop", system.pop())))
                .toList();
    }

    /** Moves until a time; what ends in a deadlock it tries again. */
    private static String procedure(String way, String body) {
        return "CREATE PROCEDURE source_"
                + way
                + " (IN until_time DOUBLE, IN slots BIGINT)\n"
                + "BEGIN\n"
                + "  DECLARE moved BIGINT DEFAULT 0;\n"
                + "  DECLARE n BIGINT;\n"
                + "  DECLARE found BIGINT;\n"
                + "  DECLARE CONTINUE HANDLER FOR 1205, 1213 BEGIN END;\n"
                + "  WHILE UNIX_TIMESTAMP(SYSDATE(6)) < until_time DO\n"
                + body
                + "  END WHILE;\n"
                + "  SELECT moved;\n"
                + "END";
    }

    @Override
    public double now(Connection connection) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery("SELECT UNIX_TIMESTAMP(SYSDATE(6))")) {
            row.next();
            return row.getDouble(1);
        }
    }

    @Override
    public long move(
            Connection connection, SourceSystem system, boolean pushes, double until, long slots)
            throws SQLException {
        connection.setTransactionIsolation(Connection.TRANSACTION_READ_COMMITTED);
        String call = "CALL source_" + (pushes ? "push" : "pop") + "(?, ?)";
        try (CallableStatement statement = connection.prepareCall(call)) {
            statement.setDouble(1, until);
            statement.setLong(2, slots);
            try (ResultSet row = statement.executeQuery()) {
                row.next();
                return row.getLong(1);
            }
        }
    }
}
