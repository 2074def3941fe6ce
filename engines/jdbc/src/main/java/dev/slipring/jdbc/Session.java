// SPDX-License-Identifier: Apache-2.0
package dev.slipring.jdbc;

import dev.slipring.sql.Lent;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.sql.Types;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** A connection that runs scripts. Used by one thread at a time. */
class Session {

    private static final int LARGE = 4_096;

    /** How long an idle connection is taken to work without being asked. */
    private static final long TRUSTED_NANOS = TimeUnit.SECONDS.toNanos(1);

    private static final int ANSWER_SECONDS = 5;

    /** Tells the driver not to have the server prepare what it could not. */
    private static final String AS_TEXT = "/*client prepare*/ ";

    private final Connection connection;
    private final boolean several;
    private long packet;
    private boolean lost;
    private long generation;
    private long usedAt = System.nanoTime();
    private AutoCloseable back;

    /**
     * A session.
     *
     * @param several whether several statements may be sent as one text
     * @param packet how many bytes may be sent at once
     */
    Session(Connection connection, boolean several, long packet) {
        this.connection = connection;
        this.back = connection;
        this.several = several;
        this.packet = packet;
    }

    /** Says which of the store's generations of sessions it belongs to. */
    void belongTo(long which) {
        generation = which;
    }

    long generation() {
        return generation;
    }

    Connection connection() {
        return connection;
    }

    /** It is a pool's, which gets it back as it came. */
    void giveBackTo(Lent lent) {
        back = lent;
    }

    /** What closes the connection, or gives it back. */
    AutoCloseable back() {
        return back;
    }

    /** Whether it still works; one that was used a moment ago is not asked. */
    boolean isAlive() {
        if (System.nanoTime() - usedAt < TRUSTED_NANOS) {
            return true;
        }
        try {
            lost |= !answers();
        } catch (SQLException e) {
            lost = true;
        }
        return !lost;
    }

    /** Asks the server. MariaDB's driver waits for the answer as long as for any other. */
    private boolean answers() throws SQLException {
        int usual = connection.getNetworkTimeout();
        int most = (int) TimeUnit.SECONDS.toMillis(ANSWER_SECONDS);
        connection.setNetworkTimeout(Runnable::run, usual == 0 ? most : Math.min(usual, most));
        boolean answers = connection.isValid(ANSWER_SECONDS);
        if (answers) {
            connection.setNetworkTimeout(Runnable::run, usual);
        }
        return answers;
    }

    /** Whether the connection was lost. */
    boolean isLost() {
        return lost;
    }

    /** It is not to be used again. */
    void lose() {
        lost = true;
    }

    /**
     * Ends it without a word to the server, with whatever is open in it: a pool that got it back
     * would hand it out again.
     */
    void abandon() {
        lost = true;
        try {
            connection.abort(Runnable::run);
        } catch (SQLException e) {
            // It was broken; what else there is to end is ended when it is closed.
        }
    }

    long packet() {
        return packet;
    }

    /** The server has said how many bytes may be sent at once. */
    void packet(long bytes) {
        packet = bytes;
    }

    /** Runs a script; as few round trips as it can. */
    void run(Script script) {
        try {
            send(script);
            usedAt = System.nanoTime();
        } catch (SQLException e) {
            SqlFailed failed = new SqlFailed(e, isLostWith(e));
            lost |= failed.isConnectionLost();
            if (!lost) {
                clearResults(failed);
            }
            throw failed;
        } catch (Error broken) {
            // As where memory runs out. The driver may have left off in the midst of an answer, and
            // take the rest of it for that of the next statement.
            abandon();
            throw broken;
        }
    }

    /** Whether the connection was lost with an error; some do not say so and close it. */
    boolean isLostWith(SQLException error) {
        return isClosed(connection);
    }

    /** Whether a connection is closed, or so broken that it cannot say. */
    static boolean isClosed(Connection connection) {
        try {
            return connection.isClosed();
        } catch (SQLException e) {
            return true;
        }
    }

    /**
     * Makes the driver forget that more was to come: an error among several results leaves it so,
     * and behind the answer to a prepare, which carries no status, it waits for another for ever.
     */
    void clearResults(SqlFailed failed) {
        try (Statement statement = connection.createStatement()) {
            statement.execute("DO 0");
        } catch (SQLException e) {
            lost = true;
            failed.addSuppressed(e);
        }
    }

    /** Sends a script, in parts if it must. */
    void send(Script script) throws SQLException {
        List<Script.Step> part = new ArrayList<>();
        long size = 0;
        for (Script.Step step : script.steps()) {
            boolean fits = several && size + step.size() <= packet - 1024;
            if (!part.isEmpty() && (!fits || isAlone(step) || isAlone(part.get(0)))) {
                send(part);
                part.clear();
                size = 0;
            }
            part.add(step);
            size += step.size();
        }
        if (!part.isEmpty()) {
            send(part);
        }
    }

    /**
     * Whether a statement goes by itself: one alone is prepared by the server, and its values go as
     * they are, while a large value inside of a text costs the server far more than a round trip.
     */
    static boolean isAlone(Script.Step step) {
        for (Object value : step.values()) {
            if (value instanceof byte[] bytes && bytes.length > LARGE) {
                return true;
            }
        }
        return false;
    }

    private void send(List<Script.Step> steps) throws SQLException {
        StringBuilder text = new StringBuilder(prefix(steps));
        String between = "";
        for (Script.Step step : steps) {
            text.append(between).append(step.sql());
            between = ";\n";
        }
        try (PreparedStatement statement = connection.prepareStatement(text.toString())) {
            int at = 1;
            for (Script.Step step : steps) {
                for (Object value : step.values()) {
                    bind(statement, at++, value);
                }
            }
            boolean rows = execute(statement, steps);
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

    /** What stands before the text of one or several steps. */
    String prefix(List<Script.Step> steps) {
        return steps.size() > 1 ? AS_TEXT : "";
    }

    /** Executes what one or several steps were made into; true if the first result has rows. */
    boolean execute(PreparedStatement statement, List<Script.Step> steps) throws SQLException {
        return statement.execute();
    }

    static void read(Statement statement, Script.Step step) throws SQLException {
        try (ResultSet result = statement.getResultSet()) {
            while (step.onRow() != null && result.next()) {
                step.onRow().see(result);
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
        } else if (value == null) {
            statement.setNull(at, Types.NULL);
        } else {
            statement.setString(at, (String) value);
        }
    }
}
