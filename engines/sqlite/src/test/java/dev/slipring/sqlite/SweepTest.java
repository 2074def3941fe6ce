// SPDX-License-Identifier: Apache-2.0
package dev.slipring.sqlite;

import static org.assertj.core.api.Assertions.assertThat;

import dev.slipring.engine.Claimed;
import dev.slipring.engine.Store;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;

/** Released slots of small bodies are removed many at a time, and no more than that are left. */
class SweepTest {

    @TempDir Path folder;
    private Store store;
    private Connection other;

    @BeforeEach
    void open() throws SQLException {
        Path file = folder.resolve("x.db");
        store = Given.ring(file, "?synchronous=normal");
        other = Given.jdbc(file);
    }

    @AfterEach
    void close() throws Exception {
        assertThat(store.survey("r", true).broken()).isEmpty();
        other.close();
        store.close();
    }

    @Test
    void fewReleasedSlotsAreLeft() throws Exception {
        push(1_000, 300);
        done(1_000);
        for (int lap = 0; lap < 20; lap++) {
            push(100, 300);
            done(100);
        }
        long slots = Given.number(other, "SELECT count(*) FROM slipring_slot");
        assertThat(slots).isLessThanOrEqualTo(SqliteSlots.SWEEP + 100);
    }

    /**
     * Measured by SQLite's log: a push writes the page of the sequences and the last page of the
     * slots, but not the first.
     */
    @Test
    void aPushWritesTwoPages() throws Exception {
        push(500, 300);
        long before = pages();
        // So few that the log is not copied to the file meanwhile, after which it might begin anew.
        for (int i = 0; i < 100; i++) {
            push(1, 300);
            done(1);
        }
        // The claim writes another page, and its word a fourth one.
        assertThat(pages() - before).isBetween(400L, 415L);
    }

    /** Slots are counted in bytes here: many tiny ones are no room for as many larger ones. */
    @Test
    void tinySlotsAreNoRoomForLargerOnes() throws Exception {
        push(3_000, 1);
        done(3_000);
        long most = 0;
        for (int i = 0; i < 2_000; i++) {
            push(1, 7_000);
            done(1);
            most = Math.max(most, bytes());
        }
        assertThat(most).isLessThan(2L * SqliteSlots.SWEEP * Cells.MOST_IN_ROW);
    }

    /**
     * Slots are removed at certain positions; a slot there, even a large one, removes the small
     * ones before it.
     */
    @Test
    void aLargeSlotClearsAwayForTheSmallOnesBeforeIt() throws Exception {
        long most = 0;
        for (int lap = 0; lap < 40; lap++) {
            for (int i = 1; i < SqliteSlots.SWEEP; i++) {
                push(1, 1_000);
                done(1);
            }
            push(1, 10_000);
            done(1);
            most = Math.max(most, bytes());
        }
        assertThat(most).isLessThan(1_000_000);
    }

    private void push(int count, int size) {
        for (int i = 0; i < count; i++) {
            store.push("r", Given.slot(1, size));
        }
    }

    private void done(int count) {
        for (int done = 0; done < count; ) {
            Claimed claimed = store.claim("r", Given.claim(count - done));
            done += claimed.deliveries().size();
            Given.done(store, claimed);
        }
    }

    private long pages() throws SQLException {
        return Given.number(other, "PRAGMA wal_checkpoint(NOOP)", 2);
    }

    private long bytes() throws SQLException {
        return Given.number(other, "SELECT coalesce(sum(bytes), 0) FROM slipring_slot");
    }
}
