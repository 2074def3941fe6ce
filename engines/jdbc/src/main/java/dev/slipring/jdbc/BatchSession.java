// SPDX-License-Identifier: Apache-2.0
package dev.slipring.jdbc;

import com.microsoft.sqlserver.jdbc.SQLServerException;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;

/**
 * A session of SQL Server: several statements in one batch.
 *
 * <p>A batch with values goes to the server as a call, and a call may not begin or end a
 * transaction (error 266). So statements without values, which those that do so are, have batches
 * of their own. Results are told apart by their rows alone, whether the server counts changes
 * (NOCOUNT) or not.
 */
final class BatchSession extends Session {

    /** A call has at most 2,100 parameters; the driver needs some. */
    private static final int MOST_VALUES = 2_000;

    private static final long MOST_BYTES = 16L << 20;

    BatchSession(Connection connection, long packet) {
        super(connection, true, packet);
    }

    @Override
    void send(Script script) throws SQLException {
        List<Script.Step> batch = new ArrayList<>();
        long values = 0;
        long bytes = 0;
        for (Script.Step step : script.steps()) {
            int more = step.values().length;
            boolean full = values + more > MOST_VALUES || bytes + step.size() > MOST_BYTES;
            boolean differs = !batch.isEmpty() && (values == 0) != (more == 0);
            if (full || differs) {
                run(batch);
                batch.clear();
                values = 0;
                bytes = 0;
            }
            batch.add(step);
            values += more;
            bytes += step.size();
        }
        run(batch);
    }

    private void run(List<Script.Step> batch) throws SQLException {
        if (batch.isEmpty()) {
            return;
        }
        StringBuilder text = new StringBuilder();
        batch.forEach(step -> text.append(text.isEmpty() ? "" : ";\n").append(step.sql()));
        if (batch.get(0).values().length == 0) {
            try (Statement statement = connection().createStatement()) {
                read(statement, statement.execute(text.toString()), batch);
            }
        } else {
            try (PreparedStatement statement = connection().prepareStatement(text.toString())) {
                int at = 1;
                for (Script.Step step : batch) {
                    for (Object value : step.values()) {
                        put(statement, at++, value);
                    }
                }
                read(statement, statement.execute(), batch);
            }
        }
    }

    /**
     * Binds a value; a text as NVARCHAR, also where the driver is told to send texts in the
     * database's own character set (sendStringParametersAsUnicode=false), which lacks most.
     */
    private static void put(PreparedStatement statement, int at, Object value) throws SQLException {
        if (value instanceof String text) {
            statement.setNString(at, text);
        } else {
            bind(statement, at, value);
        }
    }

    /** Reads to the end of the batch: an error of its last statement comes last. */
    private static void read(Statement statement, boolean first, List<Script.Step> batch)
            throws SQLException {
        Iterator<Script.Step> queries =
                batch.stream().filter(step -> step.onRow() != null).iterator();
        boolean rows = first;
        while (rows || statement.getUpdateCount() != -1) {
            if (rows) {
                read(statement, queries.next());
            }
            rows = statement.getMoreResults();
        }
        if (queries.hasNext()) {
            throw new SQLException("the server gave no rows for: " + queries.next().sql());
        }
    }

    /**
     * What the driver itself says without a number or a state is, of what can happen here, that it
     * could not connect again by itself.
     */
    @Override
    boolean isLostWith(SQLException error) {
        boolean ofDriver =
                error instanceof SQLServerException
                        && error.getErrorCode() == 0
                        && error.getSQLState() == null;
        return ofDriver
                || SqlServerTrouble.LOST.contains(error.getErrorCode())
                || super.isLostWith(error);
    }

    /** Microsoft's driver keeps no such thing. */
    @Override
    void clearResults(SqlFailed failed) {}
}
