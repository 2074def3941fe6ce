// SPDX-License-Identifier: Apache-2.0
package dev.slipring.sqlite;

import static org.assertj.core.api.Assertions.assertThat;

import dev.slipring.ledger.ClaimRow;
import dev.slipring.ledger.LaneRow;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.nio.file.Path;
import java.sql.Connection;
import java.time.InstantSource;
import java.util.BitSet;

class KnownSequencesTest {

    private static final int MANY = SqliteRows.MOST_KNOWN + 1_000;

    @TempDir Path folder;

    private Connection connection;
    private SqliteRows rows;

    @BeforeEach
    void open() throws Exception {
        Path file = folder.resolve("x.db");
        Given.ring(file).close();
        connection = Given.jdbc(file);
        Given.run(connection, "BEGIN IMMEDIATE");
        rows =
                new SqliteRows(
                        new Statements(connection),
                        InstantSource.system(),
                        new Caches(),
                        Cells.Witness.NONE);
    }

    @AfterEach
    void close() throws Exception {
        connection.close();
    }

    /** Sequences that are no longer used are not remembered for ever. */
    @Test
    void isForgottenNowAndThen() {
        int most = 0;
        int forgotten = 0;
        for (int i = 0; i < 2 * MANY; i++) {
            rows.lanes().put(1, new LaneRow(0, i, 0, 0));
            most = Math.max(most, rows.known());
            rows.write();
            rows.end(true);
            forgotten += rows.known() == 0 ? 1 : 0;
        }
        assertThat(forgotten).isEqualTo(2);
        assertThat(most).isLessThan(MANY);
    }

    /** Sequences that are in use are not read again for each transaction, however many they are. */
    @Test
    void staysWhileReadingItAgainHasNotPaid() {
        for (int i = 1; i <= MANY; i++) {
            rows.strands()
                    .putClaim(1, new ClaimRow("main", 0, i, i, i + 1, new BitSet(), 1, "", 0));
        }
        rows.write();
        rows.end(true);
        rows.forget();
        assertThat(rows.strands().claims(1, "main")).hasSize(MANY);
        for (int i = 0; i < 100; i++) {
            rows.end(true);
            assertThat(rows.known()).isGreaterThan(MANY);
        }
    }
}
