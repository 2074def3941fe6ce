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
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.stream.IntStream;

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

    /** Those that are named are handed out, or dropped, in portions as all are. */
    @Test
    void thoseNamedGoInPortionsToo() throws SQLException {
        List<String> ids = IntStream.range(0, MANY).mapToObj(at -> "0-" + at).toList();
        assertThatThrownBy(() -> stage.retryDead(ids)).isInstanceOf(StoreFailed.class);
        assertThat(left("waiting")).isEqualTo(PORTION);
        assertThatThrownBy(() -> stage.dropDead(ids.subList(PORTION, MANY)))
                .isInstanceOf(StoreFailed.class);
        Given.run(other, "DROP TRIGGER stop");
        assertThat(stage.retryDead(ids.subList(0, 1_600))).isEqualTo(600);
        assertThat(stage.dropDead(ids)).isEqualTo(MANY - 1_600);
        assertThat(left("dead")).isZero();
    }

    /** Nothing happens to the others, wherever it stands among them. */
    @Test
    void whatIsNoIdIsRefusedBefore() throws SQLException {
        List<String> ids = new ArrayList<>(Collections.nCopies(PORTION, "0-1"));
        ids.add("x");
        assertThatThrownBy(() -> stage.retryDead(ids)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> stage.dropDead(ids)).isInstanceOf(IllegalArgumentException.class);
        assertThat(left("dead")).isEqualTo(MANY);
    }

    private long left(String state) throws SQLException {
        return Given.number(
                other, "SELECT COUNT(*) FROM slipring_aside WHERE state = '" + state + "'");
    }
}
