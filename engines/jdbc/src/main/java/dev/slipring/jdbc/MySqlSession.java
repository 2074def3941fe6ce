// SPDX-License-Identifier: Apache-2.0
package dev.slipring.jdbc;

import org.mariadb.jdbc.ServerPreparedStatement;

import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Arrays;
import java.util.List;

/**
 * A connection of ours to MySQL. That server writes each bound value into a text of the statement,
 * whether anybody asks for the text or not: escaped character by character, which for 300 KB of
 * UTF-8 takes it longer than storing them. With a client's character set in which a backslash may
 * be half a character it writes the value in hexadecimal digits instead, ten times as fast; the
 * value itself goes as it is either way. The set stays until a statement comes that needs the usual
 * one, as a change of it is a round trip.
 */
final class MySqlSession extends Session {

    private static final String FAST = "SET character_set_client = gbk";
    private static final String USUAL = "SET character_set_client = utf8mb4";

    private boolean isFast;

    MySqlSession(Connection connection, boolean several, long packet) {
        super(connection, several, packet);
    }

    @Override
    boolean execute(PreparedStatement statement, List<Script.Step> steps) throws SQLException {
        // A value that the driver itself writes into a text has to fit the character set.
        if (!(statement instanceof ServerPreparedStatement)
                || steps.size() > 1
                || !isPlain(steps.get(0))) {
            use(false);
        } else if (isAlone(steps.get(0))) {
            use(true);
        }
        return super.execute(statement, steps);
    }

    private void use(boolean fast) throws SQLException {
        if (fast == isFast) {
            return;
        }
        try (Statement statement = connection().createStatement()) {
            statement.execute(fast ? FAST : USUAL);
            isFast = fast;
        } catch (SQLException e) {
            // Nobody may use it again: texts would be read wrong.
            lose();
            throw e;
        }
    }

    /** Whether the texts among its values are the same in both character sets. */
    private static boolean isPlain(Script.Step step) {
        return Arrays.stream(step.values())
                .noneMatch(
                        value ->
                                value instanceof String text
                                        && !StandardCharsets.US_ASCII.newEncoder().canEncode(text));
    }
}
