// SPDX-License-Identifier: Apache-2.0
package dev.slipring.sqlite;

import dev.slipring.sql.Lent;
import dev.slipring.sql.Queries;
import dev.slipring.sql.RowVisitor;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;

/** The statements of a connection, each prepared once. Used by one thread at a time. */
final class Statements extends Queries implements AutoCloseable {

    /** Closes the connection, or gives it back. */
    @FunctionalInterface
    private interface Back extends AutoCloseable {
        @Override
        void close() throws SQLException;
    }

    private final Connection connection;
    private final Map<String, PreparedStatement> prepared = new HashMap<>();

    /** What was set, as it was before. */
    private final Map<String, String> before = new LinkedHashMap<>();

    private Back back;

    private long updates;

    Statements(Connection connection) {
        this.connection = connection;
        this.back = connection::close;
    }

    /** How many changing statements were run: if it did not grow, nothing was written. */
    long updates() {
        return updates;
    }

    /** Runs a statement without values that is not worth keeping, or several of them. */
    void run(String sql) {
        try (Statement statement = connection.createStatement()) {
            statement.executeUpdate(sql);
        } catch (SQLException e) {
            throw new SqlFailed(e);
        }
    }

    /** Changes rows; returns how many. */
    @Override
    public int update(String sql, Object... values) {
        updates++;
        try {
            return bound(sql, values).executeUpdate();
        } catch (SQLException e) {
            throw failed(sql, e);
        }
    }

    /** Runs a statement that begins or ends a transaction. */
    void control(String sql) {
        try {
            bound(sql).executeUpdate();
        } catch (SQLException e) {
            throw failed(sql, e);
        }
    }

    /** Takes a transaction back, if SQLite has not done that by itself, and there is one. */
    void rollback() {
        try {
            control("ROLLBACK");
        } catch (SqlFailed e) {
            // What had failed before says why.
        }
    }

    /** Shows the rows found to a visitor until it has enough. */
    @Override
    public void each(String sql, RowVisitor visitor, Object... values) {
        try (ResultSet result = bound(sql, values).executeQuery()) {
            while (result.next() && visitor.visit(result)) {
                continue;
            }
        } catch (SQLException e) {
            throw failed(sql, e);
        }
    }

    /** Closes the statements; the connection stays open. */
    @Override
    public void close() {
        prepared.values().forEach(Statements::close);
        prepared.clear();
    }

    /** Sets a pragma of the connection, until {@link #end}. */
    void set(String pragma, long value) {
        String was = first("PRAGMA " + pragma, row -> row.getString(1));
        run("PRAGMA " + pragma + " = " + value);
        before.putIfAbsent(pragma, was);
    }

    /** The connection is somebody's, and is to be in the mode in which it came at the end. */
    void giveBackTo(Lent lent) {
        back = lent::close;
    }

    /** Closes the statements and the connection, which may go back to a pool: it is as it came. */
    void end() {
        close();
        try (Back atLast = back) {
            before.forEach((pragma, value) -> run("PRAGMA " + pragma + " = " + value));
        } catch (SQLException e) {
            throw new SqlFailed(e);
        }
    }

    /** The driver may have closed a statement that failed, so it is not used again. */
    private SqlFailed failed(String sql, SQLException e) {
        close(prepared.remove(sql));
        return new SqlFailed(e);
    }

    private static void close(PreparedStatement statement) {
        try {
            if (statement != null) {
                statement.close();
            }
        } catch (SQLException e) {
            // The connection is lost, and with it the statement.
        }
    }

    private PreparedStatement bound(String sql, Object... values) throws SQLException {
        PreparedStatement statement = prepared.get(sql);
        if (statement == null) {
            statement = connection.prepareStatement(sql);
            prepared.put(sql, statement);
        }
        for (int i = 0; i < values.length; i++) {
            if (values[i] instanceof Long number) {
                statement.setLong(i + 1, number);
            } else if (values[i] instanceof Integer number) {
                statement.setInt(i + 1, number);
            } else if (values[i] instanceof Boolean truth) {
                statement.setInt(i + 1, truth ? 1 : 0);
            } else if (values[i] instanceof byte[] bytes) {
                statement.setBytes(i + 1, bytes);
            } else {
                statement.setString(i + 1, (String) values[i]);
            }
        }
        return statement;
    }
}
