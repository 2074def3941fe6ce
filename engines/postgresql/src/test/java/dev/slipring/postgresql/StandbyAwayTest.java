// SPDX-License-Identifier: Apache-2.0
package dev.slipring.postgresql;

import static org.assertj.core.api.Assertions.assertThat;

import dev.slipring.Ring;
import dev.slipring.Slipring;
import dev.slipring.graph.RingSpec;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/** A synchronous standby that is away: commits that have to be safe wait for it without limit. */
@Timeout(180)
class StandbyAwayTest {

    /**
     * The file of the oldest segment; once the segment is emptied and that is committed, it is
     * another file.
     */
    private static final String FILE =
            "SELECT relfilenode FROM pg_class WHERE relname ~ '^slot_[0-9]+_0$'";

    private static final String WAITS = " WHERE wait_event = 'SyncRep'";

    @TempDir Path folder;

    /**
     * Emptying segments does not wait for the standby: else a worker would wait, keep a segment
     * locked meanwhile, and could not close the store.
     */
    @Test
    void whoEmptiesSegmentsDoesNotWaitForIt() throws Exception {
        try (OwnServer server = new OwnServer(folder).start()) {
            try (Slipring slipring = Slipring.open(server.url())) {
                Ring ring = slipring.create(RingSpec.named("r").lanes(1).bytes(64 << 20));
                ring.push("in the first segment");
                run(server, "SELECT setval(turn, 1) FROM slipring.ring");
                // So much that the worker that claims it looks whether a segment can be emptied.
                ring.push("x".repeat(3 << 20));
            }
            run(server, "ALTER SYSTEM SET synchronous_standby_names = 'away'");
            server.shutDown();
            server.start();
            try (Slipring slipring = Slipring.open(server.url())) {
                workUntilEmptied(server, slipring.ring("r"));
            }
        }
    }

    /**
     * What a cut-off push left is on this server alone: whoever is promoted instead does not have
     * it.
     */
    @Test
    void aPushThatIsAskedForWaitsForItToo() throws Exception {
        try (OwnServer server = new OwnServer(folder).start();
                Slipring slipring = Slipring.open(server.url())) {
            Ring ring = slipring.create(RingSpec.named("r"));
            ring.push("so that all is known");
            run(server, "ALTER SYSTEM SET synchronous_standby_names = 'away'");
            run(server, "SELECT pg_reload_conf()");
            int pushed = 1;
            CompletableFuture<?> push;
            try {
                do {
                    // The first ones may be quicker than the server reads its settings.
                    push = CompletableFuture.runAsync(() -> ring.push("once"));
                    pushed++;
                    awaitStandby(server, push);
                } while (push.isDone() && !push.isCompletedExceptionally());
                String end = "SELECT pg_terminate_backend(pid, 60000) FROM pg_stat_activity";
                run(server, end + WAITS);
                awaitStandby(server, push);
                assertThat(push).as("a push that no standby has").isNotDone();
            } finally {
                run(server, "ALTER SYSTEM RESET synchronous_standby_names");
                run(server, "SELECT pg_reload_conf()");
            }
            push.get(60, TimeUnit.SECONDS);
            assertThat(text(server, "SELECT count(*) FROM slipring.messages('r')"))
                    .isEqualTo(String.valueOf(pushed));
        }
    }

    /** Waits until somebody waits for the standby, or the push is over. */
    private static void awaitStandby(OwnServer server, CompletableFuture<?> push) throws Exception {
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(30);
        while (text(server, "SELECT count(*) FROM pg_stat_activity" + WAITS).equals("0")
                && !push.isDone()) {
            assertThat(System.nanoTime()).as("nobody waits").isLessThan(deadline);
            TimeUnit.MILLISECONDS.sleep(20);
        }
    }

    private static void workUntilEmptied(OwnServer server, Ring ring) throws Exception {
        String before = text(server, FILE);
        try {
            ring.stage().claim(1, Duration.ofSeconds(20)).done();
            ring.stage().claim(1, Duration.ofSeconds(20)).done();
            awaitOther(server, before);
            assertThat(ring.check()).isEmpty();
        } finally {
            // Commits that wait would keep the store from being closed.
            run(server, "ALTER SYSTEM RESET synchronous_standby_names");
            run(server, "SELECT pg_reload_conf()");
        }
    }

    private static void awaitOther(OwnServer server, String before) throws Exception {
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(30);
        while (text(server, FILE).equals(before)) {
            assertThat(System.nanoTime()).as("the segment is not emptied").isLessThan(deadline);
            TimeUnit.MILLISECONDS.sleep(20);
        }
    }

    private static void run(OwnServer server, String sql) throws SQLException {
        try (Connection connection = Server.connect(server.url());
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    private static String text(OwnServer server, String sql) throws SQLException {
        try (Connection connection = Server.connect(server.url());
                Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(sql)) {
            row.next();
            return row.getString(1);
        }
    }
}
