// SPDX-License-Identifier: Apache-2.0
package dev.slipring.postgresql;

import static org.assertj.core.api.Assertions.assertThat;

import dev.slipring.Claim;
import dev.slipring.Delivery;
import dev.slipring.Ring;
import dev.slipring.Slipring;
import dev.slipring.graph.RingSpec;
import dev.slipring.graph.StageSpec;
import dev.slipring.graph.Start;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;

/** A stage that is added while a word waits for the lock of its claim. */
@Timeout(120)
class LateStageTest {

    private static final String CLAIM =
            "((SELECT slipring.hand_lock({ring}, 'a', 0, h.epoch)"
                    + " FROM slipring.strand_now({ring}, 'a', 0) s, unnest(s.hands) h))";

    @RegisterExtension private final NewDatabase database = new NewDatabase();

    private Slipring slipring;
    private Ring ring;
    private Connection other;

    @BeforeEach
    void open() throws SQLException {
        slipring = Slipring.open(database.url());
        StageSpec stage = StageSpec.named("a").backoff(Duration.ZERO, Duration.ZERO);
        ring = slipring.create(RingSpec.named("r").lanes(1).graph(stage));
        other = database.connect();
    }

    @AfterEach
    void close() throws SQLException {
        other.close();
        slipring.close();
    }

    /** Says a word, and adds the stage while the word waits. */
    private void addWhileItWaits(Runnable word, Set<String> after, Runnable then)
            throws SQLException {
        try (Statement statement = other.createStatement()) {
            statement.execute(database.of("SELECT pg_advisory_lock" + CLAIM));
            CompletableFuture<Void> said = CompletableFuture.runAsync(word);
            database.awaitWaiting(1, "locktype = 'advisory'", said);
            ring.addStage(StageSpec.named("b"), after, Start.OLDEST);
            then.run();
            statement.execute(database.of("SELECT pg_advisory_unlock" + CLAIM));
            said.join();
        }
    }

    private List<String> next(String stage) {
        Claim claim = ring.stage(stage).claim(10, Duration.ofSeconds(10));
        claim.done();
        return claim.deliveries().stream().map(Delivery::text).toList();
    }

    @Test
    void getsWhatARetryBringsToThoseWhoFollow() throws SQLException {
        // The stage that is behind keeps the messages in the ring, so that the new stage begins at
        // them.
        ring.addStage(StageSpec.named("behind"), Set.of(), Start.OLDEST);
        ring.push("kept");
        ring.push("done");
        Claim both = ring.stage("a").claim(2, Duration.ZERO);
        both.fail(both.deliveries().get(0), "not yet", Duration.ZERO);
        both.done();
        Claim retry = ring.stage("a").claim(1, Duration.ofSeconds(10));
        assertThat(retry.deliveries().get(0).text()).isEqualTo("kept");
        addWhileItWaits(
                retry::done, Set.of("a"), () -> assertThat(next("b")).containsExactly("done"));
        assertThat(next("b")).containsExactly("kept");
    }

    @Test
    void holdsTheGate() throws SQLException {
        ring.push("m");
        assertThat(ring.stage("a").claim(1, Duration.ZERO).deliveries()).hasSize(1);
        addWhileItWaits(this::takesAndIsDone, Set.of(), () -> {});
        assertThat(database.number("SELECT (slipring.strand_now({ring}, 'a', 0)).done")).isOne();
        assertThat(database.number("SELECT pg_sequence_last_value('slipring.gate_{ring}_0')"))
                .as("the gate, in front of the stage that was added")
                .isZero();
        assertThat(next("b")).containsExactly("m");
    }

    private void takesAndIsDone() {
        try {
            database.number(
                    "SELECT count(*) FROM slipring.strand_now({ring}, 'a', 0) s, unnest(s.hands) h,"
                            + " slipring.take_{ring}('a', 1, 'w', 0, h.epoch, 0, true)");
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }
}
