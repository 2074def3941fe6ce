// SPDX-License-Identifier: Apache-2.0
package dev.slipring.sqlite;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.slipring.Message;
import dev.slipring.Ring;
import dev.slipring.Slipring;
import dev.slipring.Stage;
import dev.slipring.StoreFailed;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Collections;

/**
 * All dead letters are ended in portions, so that others have to wait for no more than one of them.
 * Seen by what a failure leaves.
 */
class ManyDeadTest {

    private static final int MANY = 2_500;
    private static final int PORTION = 1_000;

    @TempDir private Path folder;

    private Slipring slipring;
    private Connection other;
    private Stage stage;

    /** One letter cannot be changed. */
    @BeforeEach
    void open() throws SQLException {
        Path file = folder.resolve("x.db");
        Given.ring(file).close();
        slipring = Slipring.open("sqlite:" + file);
        other = Given.jdbc(file);
        Ring ring = slipring.ring("r");
        ring.pushAll(Collections.nCopies(MANY, Message.of("x")));
        Kept.put(other, "main", "dead", MANY);
        Given.run(
                other,
                "UPDATE slipring_sequence SET (claimed, done, high, dead) = (n, n, n, n)"
                        + " FROM (SELECT COUNT(*) AS n FROM slipring_aside) WHERE stage = 'main'");
        Given.run(
                other,
                "CREATE TRIGGER stop BEFORE UPDATE ON slipring_aside WHEN old.position = 1500"
                        + " BEGIN SELECT RAISE(ABORT, 'stop'); END");
        stage = ring.stage();
    }

    @AfterEach
    void close() throws SQLException {
        other.close();
        slipring.close();
    }

    @Test
    void areRetriedInPortions() throws SQLException {
        assertThatThrownBy(() -> stage.retryAllDead()).isInstanceOf(StoreFailed.class);
        assertThat(left("waiting")).isEqualTo(PORTION);
        Given.run(other, "DROP TRIGGER stop");
        assertThat(stage.retryAllDead()).isEqualTo(MANY - PORTION);
        assertThat(left("waiting")).isEqualTo(MANY);
    }

    @Test
    void areDroppedInPortions() throws SQLException {
        assertThatThrownBy(() -> stage.dropAllDead()).isInstanceOf(StoreFailed.class);
        assertThat(left("dead")).isEqualTo(MANY - PORTION);
        Given.run(other, "DROP TRIGGER stop");
        assertThat(stage.dropAllDead()).isEqualTo(MANY - PORTION);
        assertThat(left("dead")).isZero();
    }

    private long left(String state) throws SQLException {
        return Given.number(
                other, "SELECT COUNT(*) FROM slipring_aside WHERE state = '" + state + "'");
    }
}
