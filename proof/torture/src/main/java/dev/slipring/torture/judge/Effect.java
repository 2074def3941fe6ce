// SPDX-License-Identifier: Apache-2.0
package dev.slipring.torture.judge;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;

/**
 * The effect that a worker wrote in the same transaction as its done.
 *
 * @param producer the producer of the messages
 * @param number the first of them
 * @param count how many
 */
public record Effect(int producer, int number, int count) {

    /** Makes the table. */
    public static void create(Connection connection) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute(
                    "CREATE TABLE torture_effect"
                            + " (producer INTEGER, number INTEGER, messages INTEGER)");
        }
        connection.commit();
    }

    /** Writes the effects of runs of messages. */
    public static void write(Connection connection, String runs) throws SQLException {
        try (PreparedStatement insert =
                connection.prepareStatement("INSERT INTO torture_effect VALUES (?, ?, ?)")) {
            for (Run run : Run.parse(runs)) {
                insert.setInt(1, run.producer());
                insert.setInt(2, run.number());
                insert.setInt(3, run.count());
                insert.addBatch();
            }
            insert.executeBatch();
        }
    }

    /** All effects that were written. */
    public static List<Effect> read(Connection connection) throws SQLException {
        List<Effect> effects = new ArrayList<>();
        try (Statement statement = connection.createStatement();
                ResultSet rows =
                        statement.executeQuery(
                                "SELECT producer, number, messages FROM torture_effect")) {
            while (rows.next()) {
                effects.add(new Effect(rows.getInt(1), rows.getInt(2), rows.getInt(3)));
            }
        }
        return effects;
    }
}
