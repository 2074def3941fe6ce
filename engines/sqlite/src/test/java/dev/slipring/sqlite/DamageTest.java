// SPDX-License-Identifier: Apache-2.0
package dev.slipring.sqlite;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.slipring.Claim;
import dev.slipring.DeadLetter;
import dev.slipring.Message;
import dev.slipring.Ring;
import dev.slipring.RingBroken;
import dev.slipring.Slipring;
import dev.slipring.Stage;
import dev.slipring.StoreFailed;
import dev.slipring.Workers;
import dev.slipring.graph.RingSpec;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;

/** If somebody has damaged messages of a ring, the others are handled. */
@Timeout(60)
class DamageTest {

    @TempDir private Path folder;

    private Slipring slipring;
    private Connection other;
    private Ring ring;
    private Stage stage;

    @BeforeEach
    void open() throws SQLException {
        Path file = folder.resolve("x.db");
        slipring = Slipring.open("sqlite:" + file);
        ring = slipring.create(RingSpec.named("r"));
        stage = ring.stage();
        other = Given.jdbc(file);
    }

    @AfterEach
    void close() throws SQLException {
        other.close();
        slipring.close();
    }

    private void damage(String sql) throws SQLException {
        try (Statement statement = other.createStatement()) {
            assertThat(statement.executeUpdate(sql)).isPositive();
        }
    }

    /** The slot is missing, or says that its message has a key and headers, which it has not. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "x'00'",
                "CAST(substr(message, 1, 1) || x'01' || substr(message, 3) AS BLOB)"
            })
    void whatIsSetAsideAndCannotBeReadKeepsNothingElse(String broken) throws Exception {
        for (String text : List.of("a", "c")) {
            ring.push(text);
            try (Claim claim = stage.claim(1, Duration.ZERO)) {
                claim.fail(claim.deliveries().get(0), "by plan", Duration.ofMillis(1));
            }
        }
        Thread.sleep(2);
        damage("UPDATE slipring_aside SET message = " + broken + " WHERE position = 0");
        try (Claim claim = stage.claim(1, Duration.ZERO)) {
            assertThat(claim.deliveries())
                    .extracting(delivery -> delivery.text())
                    .containsOnly("c");
            claim.done();
        }
        ring.push("b");
        try (Claim claim = stage.claim(1, Duration.ZERO)) {
            assertThat(claim.deliveries())
                    .extracting(delivery -> delivery.text())
                    .containsOnly("b");
            claim.done();
        }
        assertThatThrownBy(() -> stage.claim(1, Duration.ZERO))
                .isInstanceOf(StoreFailed.class)
                .hasMessage(
                        "stage 'main': message 0-0, which is set aside, cannot be read; run"
                                + " 'slipring check'");
    }

    /** It is listed, without its message, and can be dropped. */
    @Test
    void aDeadLetterThatCannotBeReadHidesNoOther() throws Exception {
        stage.redeclare(stage.spec().tries(1));
        ring.pushAll(List.of(Message.of("a"), Message.of("b"), Message.of("c")));
        stage.drain(
                delivery -> {
                    throw new IllegalStateException("by plan");
                });
        damage("UPDATE slipring_aside SET message = x'00ff' WHERE position = 1");
        List<DeadLetter> letters = stage.deadLetters(9);
        assertThat(letters).extracting(it -> it.delivery().text()).containsExactly("a", "", "c");
        assertThat(letters.get(1).error())
                .startsWith("the message cannot be read, run 'slipring check'")
                .contains("by plan");
        assertThat(stage.dropDead(List.of(letters.get(1).id()))).isEqualTo(1);
        assertThat(ring.check()).isEmpty();
    }

    @Test
    void aFailureWhoseMessageIsLostIsRefused() throws Exception {
        ring.push("a");
        try (Claim claim = stage.claim(1, Duration.ZERO)) {
            damage("DELETE FROM slipring_slot");
            assertThatThrownBy(() -> claim.fail(claim.deliveries().get(0), "by plan"))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageEndingWith("are not there, or cannot be read; run 'slipring check'");
        }
    }

    /** All that a claim has is settled, or it ends before it begins; and its lease runs out. */
    @ParameterizedTest
    @ValueSource(strings = {"settled = x'ff'", "end_position = -5"})
    void workersGoOnBesidesAClaimThatIsDamaged(String broken) throws Exception {
        ring.push("a");
        try (Claim first = stage.claim(1, Duration.ZERO)) {
            assertThat(first.deliveries()).hasSize(1);
            damage("UPDATE slipring_sequence SET expires = 0, " + broken + " WHERE worker <> ''");
            assertThat(ring.check()).isNotEmpty();
            ring.push("b");
            try (Claim claim = stage.claim(1, Duration.ofSeconds(30))) {
                assertThat(claim.deliveries())
                        .extracting(delivery -> delivery.text())
                        .containsOnly("b");
                claim.done();
            }
        }
    }

    /** The claim is not settled, and its lease runs out. */
    @Test
    void workersGoOnBesidesAFailureWhoseMessageIsLost() throws Exception {
        CountDownLatch damaged = new CountDownLatch(1);
        CountDownLatch handled = new CountDownLatch(1);
        ring.push("lost");
        try (Workers workers =
                stage.work(
                        1,
                        delivery -> {
                            if (delivery.text().equals("lost")) {
                                damage("DELETE FROM slipring_slot");
                                damaged.countDown();
                                throw new IllegalStateException("by plan");
                            }
                            handled.countDown();
                        })) {
            damaged.await();
            ring.push("another");
            handled.await();
        }
    }

    /** Together they have as many bytes as one claim may have. */
    @Test
    void manyThatCannotBeReadKeepNothingElse() throws Exception {
        for (String text : List.of("a", "b", "c")) {
            ring.push(text);
            try (Claim claim = stage.claim(1, Duration.ZERO)) {
                claim.fail(claim.deliveries().get(0), "by plan", Duration.ofHours(1));
            }
        }
        damage("UPDATE slipring_aside SET due = position");
        damage("UPDATE slipring_aside SET message = zeroblob(3 << 20) WHERE position < 2");
        try (Claim claim = stage.claim(10, Duration.ZERO)) {
            assertThat(claim.deliveries())
                    .extracting(delivery -> delivery.text())
                    .containsOnly("c");
            claim.done();
        }
    }

    @Test
    void nothingGoesIntoALaneThatIsLost() throws Exception {
        Ring lanes = slipring.create(RingSpec.named("lanes").lanes(2));
        lanes.pushAll(List.of(Message.of("a").key("a"), Message.of("b").key("b")));
        damage(
                "DELETE FROM slipring_sequence WHERE lane = 0 AND stage = ''"
                        + " AND ring = (SELECT id FROM slipring_ring WHERE name = 'lanes')");
        assertThatThrownBy(() -> lanes.push("c"))
                .isInstanceOf(RingBroken.class)
                .hasMessageContaining("of its 2 lanes the store has 1");
        assertThatThrownBy(() -> lanes.stage().claim(10, Duration.ZERO))
                .isInstanceOf(RingBroken.class);
    }
}
