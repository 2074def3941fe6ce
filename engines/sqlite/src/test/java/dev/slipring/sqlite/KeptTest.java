// SPDX-License-Identifier: Apache-2.0
package dev.slipring.sqlite;

import static org.assertj.core.api.Assertions.assertThat;

import dev.slipring.engine.Store;
import dev.slipring.ledger.LaneRange;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;

/**
 * A stage may keep very much: what needs one row of it does not read the others. Counted by the
 * steps of SQLite's.
 */
class KeptTest {

    private static final int MANY = 2_000;

    @TempDir private Path folder;

    private Store store;
    private Connection other;

    @BeforeEach
    void open() throws SQLException {
        store = Given.ring(folder.resolve("x.db"));
        other = Given.jdbc(folder.resolve("x.db"));
    }

    @AfterEach
    void close() throws SQLException {
        other.close();
        store.close();
    }

    /** For a survey. */
    @Test
    void whatIsInHandIsFoundWithoutTheOthers() throws SQLException {
        Kept.put(other, "main", "waiting", MANY);
        Given.run(other, "UPDATE slipring_aside SET epoch = 7 WHERE position = 9");
        assertThat(Kept.steps(other, aside -> assertThat(aside.inHand(1, "main")).hasSize(1)))
                .isLessThan(MANY);
    }

    /** With each message that leaves the ring it is looked for what was dropped and can go. */
    @Test
    void aDroppedLetterIsFoundWithoutTheOthers() throws SQLException {
        LaneRange all = new LaneRange(0, 0, MANY);
        Kept.put(other, "main", "dead", MANY);
        Given.run(other, "UPDATE slipring_aside SET state = 'dropped' WHERE position = 9");
        assertThat(
                        Kept.steps(
                                other,
                                aside ->
                                        assertThat(aside.deleteDropped(1, "main", all))
                                                .isOne()))
                .isLessThan(MANY);
    }
}
