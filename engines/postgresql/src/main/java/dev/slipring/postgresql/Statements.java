// SPDX-License-Identifier: Apache-2.0
package dev.slipring.postgresql;

import dev.slipring.sql.Queries;
import dev.slipring.sql.RowVisitor;

import java.sql.Array;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.sql.Types;

/** Statements on one connection. Used by one thread at a time. */
final class Statements extends Queries {

    private final Connection connection;

    Statements(Connection connection) {
        this.connection = connection;
    }

    /** Runs statements without values. */
    void run(String sql) {
        try (Statement statement = connection.createStatement()) {
            statement.execute(sql);
        } catch (SQLException e) {
            throw new SqlFailed(e);
        }
    }

    /**
     * Ends the connection without a word to the server, with whatever is open on it: a pool that
     * got it back would hand it out again.
     */
    void abandon() {
        try {
            connection.abort(Runnable::run);
        } catch (SQLException e) {
            // It was broken; what else there is to end is ended when it is closed.
        }
    }

    /** Changes rows; returns how many. */
    @Override
    public int update(String sql, Object... values) {
        try (PreparedStatement statement = bound(sql, values)) {
            return statement.executeUpdate();
        } catch (SQLException e) {
            throw new SqlFailed(e);
        }
    }

    /** Calls a function for what it does. */
    void call(String sql, Object... values) {
        each(sql, row -> false, values);
    }

    /** Shows the rows found to a visitor until it has enough. */
    @Override
    public void each(String sql, RowVisitor visitor, Object... values) {
        try (PreparedStatement statement = bound(sql, values);
                ResultSet result = statement.executeQuery()) {
            while (result.next() && visitor.visit(result)) {
                continue;
            }
        } catch (SQLException e) {
            throw new SqlFailed(e);
        }
    }

    /** The numbers of a column that is an array of bigint. */
    static Long[] numbers(Array array) throws SQLException {
        return array == null ? new Long[0] : (Long[]) array.getArray();
    }

    private PreparedStatement bound(String sql, Object... values) throws SQLException {
        PreparedStatement statement = connection.prepareStatement(sql);
        for (int i = 0; i < values.length; i++) {
            bind(statement, i + 1, values[i]);
        }
        return statement;
    }

    private void bind(PreparedStatement statement, int place, Object value) throws SQLException {
        if (value == null) {
            statement.setNull(place, Types.NULL);
        } else if (value instanceof byte[] bytes) {
            statement.setBytes(place, bytes);
        } else if (value instanceof byte[][] many) {
            statement.setArray(place, connection.createArrayOf("bytea", many));
        } else if (value instanceof Long[] many) {
            statement.setArray(place, connection.createArrayOf("int8", many));
        } else if (value instanceof Integer[] many) {
            statement.setArray(place, connection.createArrayOf("int4", many));
        } else if (value instanceof Boolean[] many) {
            statement.setArray(place, connection.createArrayOf("bool", many));
        } else if (value instanceof String[] many) {
            statement.setArray(place, connection.createArrayOf("text", many));
        } else {
            statement.setObject(place, value);
        }
    }
}
