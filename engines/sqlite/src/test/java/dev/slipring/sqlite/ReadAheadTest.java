// SPDX-License-Identifier: Apache-2.0
package dev.slipring.sqlite;

import static org.assertj.core.api.Assertions.assertThat;

import dev.slipring.graph.Shape;
import dev.slipring.ledger.LaneRange;
import dev.slipring.ledger.SlotRow;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.nio.file.Path;
import java.sql.Connection;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;

/** A stage that is far behind finds its next messages in memory. */
class ReadAheadTest {

    private static final int SLOTS = 60;
    private static final int COUNT = 100;

    @TempDir Path folder;

    private final List<Boolean> missed = new ArrayList<>();
    private Connection connection;
    private Reader reader;
    private ReadAhead ahead;
    private SqliteRows rows;
    private long ring;

    @BeforeEach
    void fill() throws Exception {
        Path file = folder.resolve("x.db");
        try (SqliteStore store = Given.ring(file)) {
            for (int slot = 0; slot < SLOTS; slot++) {
                store.push("r", Given.slot(COUNT, 300));
            }
            Shape shape = store.shape("r").orElseThrow();
            ring = shape.id();
        }
        connection = Given.jdbc(file);
        Caches caches = new Caches();
        InstantSource clock = InstantSource.system();
        Statements statements = new Statements(Given.jdbc(file));
        reader =
                new Reader(
                        statements,
                        new SqliteRows(statements, clock, caches, Cells.Witness.NONE),
                        new LockPatience(SqliteUrl.Options.DEFAULT.busy()),
                        new Trouble("x.db", Duration.ofSeconds(1)));
        ahead = new ReadAhead(reader);
        rows =
                new SqliteRows(
                        new Statements(connection),
                        clock,
                        caches,
                        (at, count, bytes, miss) -> {
                            missed.add(miss);
                            ahead.read(at, count, bytes, miss);
                        });
    }

    @AfterEach
    void close() throws Exception {
        reader.close();
        connection.close();
    }

    @Test
    void onlyTheFirstOfManyReadsIsMissed() {
        for (int slot = 0; slot < SLOTS; slot++) {
            ahead.fetch();
            read(slot, 1);
        }
        assertThat(missed.remove(0)).isTrue();
        assertThat(missed).hasSize(SLOTS - 1).containsOnly(false);
    }

    @Test
    void asMuchIsReadAheadAsWasReadLast() {
        for (int slot = 0; slot < SLOTS; slot += 5) {
            ahead.fetch();
            read(slot, 5);
        }
        assertThat(missed.subList(0, 5)).containsOnly(true);
        assertThat(missed.subList(5, SLOTS)).containsOnly(false);
    }

    @Test
    void whoJumpsMissesOnceAgain() {
        read(0, 1);
        ahead.fetch();
        read(40, 1);
        ahead.fetch();
        read(41, 1);
        assertThat(missed).containsExactly(true, true, false);
    }

    @Test
    void theEndOfTheLaneIsNoTrouble() {
        read(SLOTS - 1, 1);
        ahead.fetch();
        assertThat(missed).containsExactly(true);
    }

    private void read(int slot, int slots) {
        long from = (long) slot * COUNT;
        List<SlotRow> found =
                rows.lanes()
                        .slots(
                                ring,
                                new LaneRange(0, from, from + (long) slots * COUNT),
                                Long.MAX_VALUE);
        rows.end(true);
        assertThat(found).extracting(SlotRow::first).hasSize(slots).startsWith(from);
    }
}
