// SPDX-License-Identifier: Apache-2.0
package dev.slipring.sqlite;

import static org.assertj.core.api.Assertions.assertThat;

import dev.slipring.Claim;
import dev.slipring.Ring;
import dev.slipring.Slipring;
import dev.slipring.engine.Change;
import dev.slipring.engine.Store;
import dev.slipring.graph.FanOut;
import dev.slipring.graph.RingSpec;
import dev.slipring.graph.StageSpec;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.sqlite.ProgressHandler;

import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;

/** Dead letters that one stage has dropped, and another keeps. */
class DroppedTest {

    private static final int LETTERS = 500;

    @TempDir Path folder;

    /** Looked for with each message that leaves the ring. Counted by the steps of SQLite's. */
    @Test
    void theLettersOfAllOthersAreNotReadForEach() throws Exception {
        Path file = folder.resolve("x.db");
        FanOut graph = FanOut.to("a").and("b");
        AtomicInteger thousands = new AtomicInteger();
        try (Store store = Given.store(file);
                Connection other = Given.jdbc(file)) {
            store.change("r", new Change.Create(RingSpec.named("r").graph(graph)));
            put(other, "a", "dropped");
            put(other, "b", "dead");
            ProgressHandler.setHandler(other, 1_000, counting(thousands));
            SqliteAside aside = new SqliteAside(new Statements(other));
            assertThat(aside.deleteDropped(1, "a", 0, LETTERS + 1)).isOne();
            assertThat(thousands).hasValueLessThan(LETTERS);
            ProgressHandler.clearHandler(other);
        }
    }

    /** A dropped letter needs its row until its message has left the ring, and no longer. */
    @Test
    void aDropIsForgottenWithItsMessage() throws Exception {
        Path file = folder.resolve("x.db");
        FanOut graph = FanOut.to(StageSpec.named("a").tries(1)).and("b");
        String rows = "SELECT COUNT(*) FROM slipring_aside";
        try (Slipring slipring = Slipring.open("sqlite:" + file);
                Connection other = Given.jdbc(file)) {
            Ring ring = slipring.create(RingSpec.named("r").graph(graph));
            ring.push("x");
            Claim claim = ring.stage("a").claim(1, Duration.ZERO);
            claim.fail(claim.deliveries().get(0), "no");
            ring.stage("a").dropAllDead();
            assertThat(Given.number(other, rows)).isOne();
            ring.stage("b").claim(1, Duration.ZERO).done();
            assertThat(Given.number(other, rows)).isZero();
            assertThat(ring.check()).isEmpty();
        }
    }

    /** Letters at so many positions, and one more of the first stage alone. */
    private static void put(Connection connection, String stage, String state)
            throws SQLException {
        int letters = state.equals("dead") ? LETTERS : LETTERS + 1;
        try (Statements statements = new Statements(connection)) {
            statements.update(
                    "WITH RECURSIVE n (p) AS (SELECT 0 UNION ALL SELECT p + 1 FROM n"
                            + " WHERE p + 1 < ?) INSERT INTO slipring_aside (ring, stage, lane,"
                            + " position, state, blocks, attempts, due, epoch, error, worker,"
                            + " failed_at, pushed_at, message)"
                            + " SELECT 1, ?, 0, p, ?, 0, 1, 0, 0, '', '', 0, 0, x'' FROM n",
                    letters,
                    stage,
                    state);
        }
    }

    private static ProgressHandler counting(AtomicInteger calls) {
        return new ProgressHandler() {
            @Override
            protected int progress() {
                calls.incrementAndGet();
                return 0;
            }
        };
    }
}
