// SPDX-License-Identifier: Apache-2.0
package dev.slipring.sqlite;

import static org.assertj.core.api.Assertions.assertThat;

import dev.slipring.engine.Change;
import dev.slipring.engine.Claimed;
import dev.slipring.engine.Store;
import dev.slipring.graph.RingSpec;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.Statement;
import java.time.Duration;
import java.util.Random;

/** Large bodies are stored in cells that are used again and again. */
class CellsTest {

    @TempDir Path folder;

    @Test
    void aCellIsAtMostAnEighthLongerThanItsBody() {
        for (int bytes = 2_001; bytes < 3_000_000; bytes += bytes / 97) {
            assertThat(Cells.size(bytes)).isBetween(bytes, bytes + bytes / 8);
        }
        assertThat(Cells.size(300_000)).isEqualTo(Cells.size(300_100));
    }

    /** Measured by what SQLite writes: the pages of its log while one cell is overwritten. */
    @Test
    void aCellTakesNoMorePagesThanItsBody() throws Exception {
        for (int bytes :
                new int[] {
                    20_000, 32_724, 40_000, 98_000, 131_000, 200_000, 250_000, 262_072, 304_006
                }) {
            assertThat(pages(Cells.size(bytes))).as("body of %s", bytes).isEqualTo(pages(bytes));
        }
    }

    private long pages(int bytes) throws Exception {
        Path file = Files.createTempFile(folder, "pages", ".db");
        try (Connection connection = Given.jdbc(file);
                Statement statement = connection.createStatement()) {
            statement.execute("PRAGMA page_size = 32768");
            statement.execute("PRAGMA journal_mode = WAL");
            statement.execute("CREATE TABLE t (id INTEGER PRIMARY KEY, body BLOB NOT NULL)");
            long before = Given.number(connection, "PRAGMA page_count");
            statement.execute("INSERT INTO t VALUES (1, randomblob(" + bytes + "))");
            return Given.number(connection, "PRAGMA page_count") - before;
        }
    }

    @Test
    void aReleasedCellIsFilledAgain() throws Exception {
        Path file = folder.resolve("x.db");
        try (Store store = Given.ring(file);
                Connection other = Given.jdbc(file)) {
            for (int lap = 0; lap < 10; lap++) {
                store.push("r", Given.slot(100, 300));
                Given.done(store, store.claim("r", Given.claim(100)));
                assertThat(Given.number(other, "SELECT count(*) FROM slipring_cell")).isEqualTo(1);
                assertThat(Given.number(other, "SELECT count(*) FROM slipring_slot")).isEqualTo(1);
            }
            assertThat(store.survey("r", true).broken()).isEmpty();
            assertThat(store.survey("r", false).heldMessages()).isZero();
        }
    }

    @Test
    void slotsOfAllSizesLeaveNothingBehind() throws Exception {
        Path file = folder.resolve("x.db");
        Random random = new Random(7);
        try (Store store = Given.store(file);
                Connection other = Given.jdbc(file)) {
            store.change("r", new Change.Create(RingSpec.named("r").bytes(1 << 20)));
            long most = 0;
            for (int i = 0; i < 400; i++) {
                store.push("r", Given.slot(1 + random.nextInt(10), random.nextInt(20_000)));
                for (Claimed claimed = store.claim("r", Given.claim(5));
                        !claimed.isEmpty();
                        claimed = store.claim("r", Given.claim(5))) {
                    Given.done(store, claimed);
                }
                String sql =
                        "SELECT count(*) FROM slipring_cell WHERE id NOT IN"
                                + " (SELECT cell FROM slipring_slot)";
                assertThat(Given.number(other, sql)).as("cells of nobody").isZero();
                String bytes = "SELECT coalesce(sum(bytes), 0) FROM slipring_slot";
                most = Math.max(most, Given.number(other, bytes));
            }
            assertThat(most).as("bytes held and released").isLessThan(1 << 20);
            assertThat(store.survey("r", true).broken()).isEmpty();
            store.push("r", Given.slot(9, 1_000));
            store.change("r", new Change.Purge());
            assertThat(Given.number(other, "SELECT count(*) FROM slipring_cell")).isZero();
            store.push("r", Given.slot(9, 1_000));
            store.change("r", new Change.Drop());
            assertThat(Given.number(other, "SELECT count(*) FROM slipring_cell")).isZero();
        }
    }

    @Test
    void theLogIsCopiedBesideTheWriter() throws Exception {
        Path file = folder.resolve("x.db");
        try (Store store = Given.ring(file);
                Connection other = Given.jdbc(file)) {
            for (int i = 0; i < 100; i++) {
                store.push("r", Given.slot(1_000, 300));
            }
            long deadline = System.nanoTime() + Duration.ofSeconds(20).toNanos();
            long waiting = waiting(other);
            while (waiting >= 3_000 && System.nanoTime() < deadline) {
                Thread.sleep(10);
                waiting = waiting(other);
            }
            assertThat(waiting).isLessThan(3_000);
        }
        assertThat(Thread.getAllStackTraces().keySet())
                .noneMatch(thread -> thread.getName().equals("slipring-sqlite-checkpoint"));
    }

    private static long waiting(Connection connection) throws Exception {
        try (Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery("PRAGMA wal_checkpoint(NOOP)")) {
            return row.getLong(2) - row.getLong(3);
        }
    }
}
