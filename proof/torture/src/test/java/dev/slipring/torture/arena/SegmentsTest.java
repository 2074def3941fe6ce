// SPDX-License-Identifier: Apache-2.0
package dev.slipring.torture.arena;

import static org.assertj.core.api.Assertions.assertThat;

import dev.slipring.Slipring;
import dev.slipring.torture.Course;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;

/** The segments of a ring on a real server are made to go round, and one is held. */
class SegmentsTest {

    private static final String TURN = "SELECT pg_sequence_last_value(turn) FROM slipring.ring";
    private static final String USED =
            "SELECT count(*) FROM pg_locks l, slipring.ring r WHERE l.relation ="
                    + " ('slipring.slot_' || r.id || '_1')::regclass";

    @TempDir private Path folder;

    private Arena arena;
    private Slipring slipring;

    @BeforeEach
    void start() throws Exception {
        arena = Arena.of("postgresql:" + folder.resolve("server"));
        arena.open();
        slipring = Slipring.open(arena.url());
        slipring.create(Course.ring(arena.lanes(), 1));
    }

    @AfterEach
    void stop() throws Exception {
        slipring.close();
        arena.close();
    }

    private long number(String sql) throws SQLException {
        try (Connection connection = arena.connect(false);
                Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(sql)) {
            row.next();
            return row.getLong(1);
        }
    }

    @Test
    void theNextBeginsAndIsHeld() throws Exception {
        assertThat(arena.hasSegments()).isTrue();
        try (Connection one = arena.connect(true)) {
            Segments.next(one);
            assertThat(number(TURN)).as("the next may begin once").isEqualTo(1);
            one.rollback();
            assertThat(number(TURN)).as("it stays").isEqualTo(1);
            Segments.read(one);
            assertThat(number(USED)).isPositive();
            one.rollback();
            assertThat(number(USED)).isZero();
        }
    }

    @Test
    void oneThatIsNotEmptyDoesNotBegin() throws Exception {
        try (Connection one = arena.connect(true);
                Statement statement = one.createStatement()) {
            statement.execute("SELECT slipring.push(name, 'a'::text) FROM slipring.ring");
            one.commit();
            for (int turn = 1; turn < 12; turn++) {
                Segments.next(one);
                one.commit();
            }
        }
        assertThat(number(TURN)).as("the first comes again as the eighth").isEqualTo(7);
    }
}
