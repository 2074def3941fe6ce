// SPDX-License-Identifier: Apache-2.0
package dev.slipring.sqlite;

import dev.slipring.Message;
import dev.slipring.engine.Change;
import dev.slipring.engine.ClaimRequest;
import dev.slipring.engine.Claimed;
import dev.slipring.engine.Opening;
import dev.slipring.engine.Settlement;
import dev.slipring.engine.Settlement.Rest;
import dev.slipring.engine.Slot;
import dev.slipring.engine.SlotCodec;
import dev.slipring.engine.Store;
import dev.slipring.graph.RingSpec;

import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.InstantSource;
import java.util.Collections;
import java.util.List;

/** What tests of the engine have in common. */
final class Given {

    private Given() {}

    static SqliteStore store(Path file) {
        return store(file, "");
    }

    static SqliteStore store(Path file, String options) {
        return (SqliteStore) open("sqlite:" + file + options, true);
    }

    static Store open(String url, boolean migrate) {
        return new SqliteEngine()
                .open(new Opening(url, null, InstantSource.system(), migrate, false));
    }

    /** A store with a ring {@code r}. */
    static SqliteStore ring(Path file) {
        return ring(file, "");
    }

    static SqliteStore ring(Path file, String options) {
        SqliteStore store = store(file, options);
        store.change("r", new Change.Create(RingSpec.named("r")));
        return store;
    }

    static List<Slot> slot(int messages, int size) {
        return slot(messages, size, 0, 0);
    }

    static List<Slot> slot(int messages, int size, long producer, long number) {
        Message message = Message.of(new byte[size]);
        byte[] body = SlotCodec.encode(Collections.nCopies(messages, message));
        return List.of(new Slot(0, producer, number, messages, body));
    }

    static ClaimRequest claim(int max) {
        return new ClaimRequest("main", max, "w");
    }

    static long pushed(Store store) {
        return store.survey("r", false).pushed();
    }

    /** Reports all of a claim as done. */
    static void done(Store store, Claimed claimed) {
        store.settle("r", new Settlement(claimed.ticket(), List.of(), List.of(), Rest.DONE));
    }

    /** The first column of the first row. */
    static long number(Connection connection, String sql) throws SQLException {
        return number(connection, sql, 1);
    }

    static long number(Connection connection, String sql, int column) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(sql)) {
            return row.getLong(column);
        }
    }

    static Connection jdbc(Path file) throws SQLException {
        return DriverManager.getConnection("jdbc:sqlite:" + file);
    }

    static void run(Connection connection, String sql) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }
}
