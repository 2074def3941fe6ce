// SPDX-License-Identifier: Apache-2.0
package dev.slipring.sqlite;

import static org.assertj.core.api.Assertions.assertThat;

import dev.slipring.engine.Claimed;
import dev.slipring.engine.Settlement;
import dev.slipring.engine.Store;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.Statement;
import java.util.List;

/** Released slots of small bodies are cleared away many at once. */
class SweepTest {

    @TempDir Path folder;

    @Test
    void fewReleasedSlotsAreLeft() throws Exception {
        Path file = folder.resolve("x.db");
        try (Store store = Given.ring(file);
                Connection other = Given.jdbc(file)) {
            push(store, 1_000);
            done(store, 1_000);
            for (int lap = 0; lap < 20; lap++) {
                push(store, 100);
                done(store, 100);
            }
            String count = "SELECT count(*) FROM slipring_slot";
            assertThat(number(other, count, 1)).isLessThanOrEqualTo(SqliteSlots.SWEEP + 100);
            assertThat(store.survey("r", true).broken()).isEmpty();
        }
    }

    /** By SQLite's log: the sequences and the end of the slots, but not their beginning. */
    @Test
    void aPushWritesTwoPages() throws Exception {
        Path file = folder.resolve("x.db");
        try (Store store = Given.ring(file);
                Connection other = Given.jdbc(file)) {
            push(store, 500);
            String log = "PRAGMA wal_checkpoint(NOOP)";
            long before = number(other, log, 2);
            for (int i = 0; i < 200; i++) {
                push(store, 1);
                done(store, 1);
            }
            // A claim writes one page, and its word another.
            assertThat(number(other, log, 2) - before).isBetween(800L, 820L);
        }
    }

    private static void push(Store store, int count) {
        for (int i = 0; i < count; i++) {
            store.push("r", Given.slot(1, 300));
        }
    }

    private static void done(Store store, int count) {
        for (int done = 0; done < count; ) {
            Claimed claimed = store.claim("r", Given.claim(count - done));
            done += claimed.deliveries().size();
            store.settle(
                    "r",
                    new Settlement(claimed.ticket(), List.of(), List.of(), Settlement.Rest.DONE));
        }
    }

    private static long number(Connection connection, String sql, int column) throws Exception {
        try (Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(sql)) {
            return row.getLong(column);
        }
    }
}
