// SPDX-License-Identifier: Apache-2.0
package dev.slipring.bench.sources;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.stream.Stream;

/** The texts' queues in procedures of PostgreSQL. */
final class PostgresSources implements SourceEngine {

    @Override
    public List<SourceSystem> systems(long slots) {
        return new PostgresSystems(slots).all();
    }

    /** Each queue has a database of its own, which goes as a whole. */
    @Override
    public List<String> removal() {
        return List.of();
    }

    @Override
    public List<String> making(SourceSystem system) {
        return Stream.concat(
                        system.tables().stream(),
                        Stream.of(procedure("push", system.push()), procedure("pop", system.pop())))
                .toList();
    }

    private static String procedure(String way, String body) {
        return "CREATE PROCEDURE source_"
                + way
                + " (until_time FLOAT8, slots BIGINT, INOUT moved BIGINT) LANGUAGE plpgsql AS $$\n"
                + "DECLARE n BIGINT; found_rows BIGINT; body TEXT;\n"
                + "BEGIN\n"
                + "  moved := 0;\n"
                + "  WHILE extract(epoch FROM clock_timestamp()) < until_time LOOP\n"
                + body
                + "  END LOOP;\n"
                + "END $$";
    }

    @Override
    public double now(Connection connection) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet row =
                        statement.executeQuery("SELECT extract(epoch FROM clock_timestamp())")) {
            row.next();
            return row.getDouble(1);
        }
    }

    @Override
    public long move(
            Connection connection, SourceSystem system, boolean pushes, double until, long slots)
            throws SQLException {
        String call = "CALL source_" + (pushes ? "push" : "pop") + "(?, ?, NULL)";
        try (PreparedStatement statement = connection.prepareStatement(call)) {
            statement.setDouble(1, until);
            statement.setLong(2, slots);
            try (ResultSet row = statement.executeQuery()) {
                row.next();
                return row.getLong(1);
            }
        }
    }
}
