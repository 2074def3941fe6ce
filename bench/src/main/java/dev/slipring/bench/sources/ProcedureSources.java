// SPDX-License-Identifier: Apache-2.0
package dev.slipring.bench.sources;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.stream.Stream;

/** The texts' queues in procedures of a server: one that pushes and one that pops until a time. */
abstract class ProcedureSources implements SourceEngine {

    private final String clock;
    private final String arguments;

    /**
     * Procedures of a server.
     *
     * @param clock the server's time in seconds, in SQL
     * @param arguments the arguments of a procedure's call: the two times and the slots
     */
    ProcedureSources(String clock, String arguments) {
        this.clock = clock;
        this.arguments = arguments;
    }

    /**
     * The statement that makes {@code source_push} or {@code source_pop}.
     *
     * @param body statements that move one message, or none
     * @param most how many messages make a transaction
     */
    abstract String procedure(String way, String body, int most);

    @Override
    public List<String> making(SourceSystem system, Experiment experiment) {
        return Stream.concat(
                        system.tables().stream(),
                        Stream.of(
                                procedure("push", system.push(), 1),
                                procedure("pop", system.pop(), experiment.most())))
                .toList();
    }

    @Override
    public double now(Connection connection) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery("SELECT " + clock)) {
            row.next();
            return row.getDouble(1);
        }
    }

    @Override
    public long move(
            Connection connection,
            SourceSystem system,
            boolean pushes,
            Span span,
            Experiment experiment)
            throws SQLException {
        connection.setTransactionIsolation(Connection.TRANSACTION_READ_COMMITTED);
        String call = "CALL source_" + (pushes ? "push" : "pop") + arguments;
        try (PreparedStatement statement = connection.prepareStatement(call)) {
            statement.setDouble(1, span.from());
            statement.setDouble(2, span.until());
            statement.setLong(3, experiment.slots());
            try (ResultSet row = statement.executeQuery()) {
                row.next();
                return row.getLong(1);
            }
        }
    }
}
