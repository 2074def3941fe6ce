// SPDX-License-Identifier: Apache-2.0
package dev.slipring.jdbc;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;

/** A connection that runs scripts. Used by one thread at a time. */
class Session {

    private final Connection connection;
    private final boolean several;
    private final long packet;
    private boolean lost;

    /**
     * A session.
     *
     * @param several whether several statements may be sent as one text
     * @param packet how many bytes may be sent at once
     */
    Session(Connection connection, boolean several, long packet) {
        this.connection = connection;
        this.several = several;
        this.packet = packet;
    }

    Connection connection() {
        return connection;
    }

    /** Whether the connection was lost. */
    boolean isLost() {
        return lost;
    }

    long packet() {
        return packet;
    }

    /** Runs a script; as few round trips as it can. */
    void run(Script script) {
        try {
            send(script);
        } catch (SQLException e) {
            SqlFailed failed = new SqlFailed(e);
            lost |= failed.isConnectionLost();
            throw failed;
        }
    }

    /** Sends a script, in parts if it must. */
    void send(Script script) throws SQLException {
        List<Script.Step> part = new ArrayList<>();
        long size = 0;
        for (Script.Step step : script.steps()) {
            boolean full = !several || size + step.size() > packet - 1024;
            if (full && !part.isEmpty()) {
                send(part);
                part.clear();
                size = 0;
            }
            part.add(step);
            size += step.size();
        }
        send(part);
    }

    private void send(List<Script.Step> steps) throws SQLException {
        StringBuilder text = new StringBuilder();
        for (Script.Step step : steps) {
            text.append(text.isEmpty() ? "" : ";\n").append(step.sql());
        }
        try (PreparedStatement statement = connection.prepareStatement(text.toString())) {
            int at = 1;
            for (Script.Step step : steps) {
                for (Object value : step.values()) {
                    bind(statement, at++, value);
                }
            }
            boolean rows = statement.execute();
            for (int i = 0; i < steps.size(); i++) {
                if (i > 0) {
                    rows = statement.getMoreResults();
                }
                if (rows) {
                    read(statement, steps.get(i));
                }
            }
        }
    }

    static void read(Statement statement, Script.Step step) throws SQLException {
        try (ResultSet result = statement.getResultSet()) {
            while (step.reader() != null && result.next()) {
                step.reader().read(result);
            }
        }
    }

    static void bind(PreparedStatement statement, int at, Object value) throws SQLException {
        if (value instanceof Long number) {
            statement.setLong(at, number);
        } else if (value instanceof Integer number) {
            statement.setInt(at, number);
        } else if (value instanceof byte[] bytes) {
            statement.setBytes(at, bytes);
        } else {
            statement.setString(at, (String) value);
        }
    }
}
