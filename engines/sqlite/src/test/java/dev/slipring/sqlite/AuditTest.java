// SPDX-License-Identifier: Apache-2.0
package dev.slipring.sqlite;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.slipring.Claim;
import dev.slipring.Message;
import dev.slipring.Ring;
import dev.slipring.RingBroken;
import dev.slipring.Slipring;
import dev.slipring.StoreFailed;
import dev.slipring.engine.Change;
import dev.slipring.engine.ClaimRequest;
import dev.slipring.engine.Lanes;
import dev.slipring.engine.Store;
import dev.slipring.graph.FanOut;
import dev.slipring.graph.RingSpec;
import dev.slipring.graph.StageSpec;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import java.nio.file.Path;
import java.sql.Connection;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;

/** A check of a ring that has lost rows says so, and goes on. */
class AuditTest {

    @TempDir private Path folder;

    @Test
    void aStrandThatIsMissingIsNamed() throws Exception {
        Path file = folder.resolve("x.db");
        try (Store store = Given.store(file);
                Connection other = Given.jdbc(file);
                Statement sql = other.createStatement()) {
            RingSpec spec = RingSpec.named("r").graph(FanOut.to("first").then("second"));
            store.change("r", new Change.Create(spec));
            store.push("r", Given.slot(3, 10));
            assertThat(store.claim("r", new ClaimRequest("first", 1, "w")).isEmpty()).isFalse();
            int gone =
                    sql.executeUpdate(
                            "DELETE FROM slipring_sequence WHERE stage = 'first' AND epoch = 0");
            assertThat(gone).isEqualTo(1);
            assertThat(store.survey("r", true).broken())
                    .contains("stage 'first', lane 0: there is no strand");
        }
    }

    /** A shape that could not have been declared is a fault of the store, and not of the caller. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            textBlock =
                    """
                    UPDATE slipring_stage SET mode = 'foo'      | mode 'foo'; use pool or
                    UPDATE slipring_stage SET lease_ms = 0      | ring 'r' is broken:
                    UPDATE slipring_stage SET after = 'zz'      | ring 'r' is broken:
                    UPDATE slipring_ring SET messages = 0       | ring 'r' is broken:
                    DELETE FROM slipring_stage                  | ring 'r' is broken:
                    DELETE FROM slipring_sequence WHERE stage = '' | of its 1 lanes the store has 0
                    """)
    void whatCannotBeIsNamed(String damage, String words) throws Exception {
        Path file = folder.resolve("x.db");
        try (Store store = Given.ring(file)) {
            store.push("r", Given.slot(3, 10));
        }
        try (Connection other = Given.jdbc(file);
                Statement sql = other.createStatement();
                Store store = Given.store(file)) {
            assertThat(sql.executeUpdate(damage)).isPositive();
            assertThatThrownBy(() -> store.survey("r", true))
                    .isInstanceOf(StoreFailed.class)
                    .hasMessageContaining(words);
            assertThat(store.change("r", new Change.Drop())).isEqualTo(1);
            assertThat(store.rings()).isEmpty();
            assertThat(Given.number(other, "SELECT count(*) FROM slipring_slot")).isZero();
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '"',
            textBlock =
                    """
                    UPDATE slipring_sequence SET high = 1 WHERE claimed > 1   | high is 1, and not
                    UPDATE slipring_sequence SET high = 9 WHERE claimed > 1   | high is 9, and not
                    UPDATE slipring_sequence SET stage = 'x' WHERE epoch > 0  | stage 'x', which is
                    UPDATE slipring_aside SET stage = 'x'                     | stage 'x', which is
                    INSERT INTO slipring_producer VALUES (77, 1, 1, 1)        | 77, which is not
                    UPDATE slipring_slot SET cell = 0 WHERE cell > 0          | 1 bodies that are
                    UPDATE slipring_slot SET bytes = -1 WHERE cell > 0        | is to have -1 bytes
                    UPDATE slipring_slot SET bytes = 9 WHERE id & 65535 = 3   | is to have 9 bytes
                    UPDATE slipring_slot SET id = id + (9 << 48)              | of no ring or lane
                    UPDATE slipring_sequence SET claimed = NULL WHERE done > 1 | lacks a value
                    UPDATE slipring_sequence SET worker = NULL WHERE epoch > 0 | lacks a value
                    UPDATE slipring_sequence SET epoch = -5 WHERE epoch > 0   | epoch cannot be
                    UPDATE slipring_sequence SET lane = 7 WHERE epoch > 0     | lane 7, which is
                    UPDATE slipring_sequence SET lane = 7 WHERE done > 1      | lane 7, which is
                    UPDATE slipring_sequence SET epoch = 5 WHERE done > 1     | epoch 5 that lacks
                    UPDATE slipring_sequence SET start = 3 WHERE done > 1     | it started at 3
                    UPDATE slipring_sequence SET last_epoch = -1 WHERE done > 1 | epoch is -1
                    UPDATE slipring_sequence SET failed = -1 WHERE done > 1   | and -1 failures
                    UPDATE slipring_sequence SET kept_bytes = -3 WHERE done > 1 | it counts -3 bytes
                    UPDATE slipring_sequence SET kept_bytes = 1 << 40 WHERE done > 1 | it counts
                    UPDATE slipring_sequence SET attempt = -1 WHERE epoch > 0 | had -1 attempts
                    UPDATE slipring_sequence SET first_position = 0 WHERE epoch > 0 | dead as well
                    UPDATE slipring_aside SET position = 9                    | and the head, 4
                    UPDATE slipring_aside SET position = 3                    | than its slot has
                    UPDATE slipring_aside SET position = 3, blocks = 0        | is not kept from
                    UPDATE slipring_aside SET epoch = -1                      | under epoch -1
                    UPDATE slipring_aside SET attempts = -1                   | had -1 attempts
                    """)
    void whatIsWrongAmongTheRestIsNamed(String damage, String words) throws Exception {
        Path file = folder.resolve("x.db");
        try (Slipring slipring = Slipring.open("sqlite:" + file)) {
            Ring ring = slipring.create(RingSpec.named("r"));
            ring.pushAll(List.of(Message.of("fails"), Message.of("done")));
            ring.push(Message.of("x".repeat(9_000)));
            ring.push(Message.of("in hand"));
            Claim claim = ring.stage().claim(2, Duration.ZERO);
            claim.fail(claim.deliveries().get(0), "no");
            claim.done();
            assertThat(ring.stage().claim(1, Duration.ZERO).isEmpty()).isFalse();
            assertThat(ring.check()).isEmpty();
        }
        try (Connection other = Given.jdbc(file);
                Statement sql = other.createStatement();
                Store store = Given.store(file)) {
            assertThat(sql.executeUpdate(damage)).isPositive();
            assertThat(store.survey("r", true).broken()).anyMatch(each -> each.contains(words));
        }
    }

    /** An ordered stage has one claim in a lane, which ends where the stage has claimed. */
    @Test
    void whatAnOrderedStageCannotHaveIsNamed() throws Exception {
        Path file = folder.resolve("x.db");
        try (Slipring slipring = Slipring.open("sqlite:" + file);
                Connection other = Given.jdbc(file)) {
            Ring ring =
                    slipring.create(RingSpec.named("r").graph(StageSpec.named("main").ordered()));
            ring.pushAll(List.of(Message.of("a"), Message.of("b"), Message.of("c")));
            assertThat(ring.stage().claim(2, Duration.ZERO).deliveries()).hasSize(2);
            assertThat(ring.check()).isEmpty();
            Given.run(other, "UPDATE slipring_sequence SET claimed = 3 WHERE claimed = 2");
            assertThat(ring.check())
                    .singleElement()
                    .asString()
                    .startsWith(
                            "stage 'main', the claim at 0-0 ends at 2, and what is claimed at 3");
        }
    }

    /**
     * A worker of a stage whose rows are gone, or of a stage that follows it, is told that the ring
     * is broken.
     */
    @ParameterizedTest
    @ValueSource(strings = {"first", "second"})
    void whoMissesAStrandIsToldThatTheRingIsBroken(String gone) throws Exception {
        Path file = folder.resolve("x.db");
        RingSpec spec = RingSpec.named("r").graph(FanOut.to("first").then("second"));
        try (Slipring slipring = Slipring.open("sqlite:" + file)) {
            slipring.create(spec).push("x");
        }
        try (Connection other = Given.jdbc(file);
                Statement sql = other.createStatement();
                Slipring slipring = Slipring.open("sqlite:" + file)) {
            sql.executeUpdate("DELETE FROM slipring_sequence WHERE stage = '" + gone + "'");
            Ring ring = slipring.ring("r");
            assertThatThrownBy(() -> ring.stage("second").claim(1, Duration.ZERO))
                    .isInstanceOf(RingBroken.class)
                    .hasMessageContaining("lost where stage '" + gone + "' stands");
            assertThat(ring.check()).contains("stage '" + gone + "', lane 0: there is no strand");
        }
    }

    /** Reads do not wait for a check, which may take long: even a push into a full ring reads. */
    @Test
    @Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
    void whoeverReadsWaitsForNoCheck() {
        try (SqliteStore store = Given.ring(folder.resolve("x.db"))) {
            SqliteTransactor transactor = store.transactor();
            assertThat(
                            transactor.<Boolean>readAtLength(
                                    rows ->
                                            CompletableFuture.supplyAsync(() -> store.shape("r"))
                                                    .join()
                                                    .isPresent()))
                    .isTrue();
        }
    }

    /** A missing body is named, and other messages are handed out. */
    @Test
    void aBodyThatIsMissingIsNamed() throws Exception {
        Path file = folder.resolve("x.db");
        String key = "lane of ";
        try (Slipring slipring = Slipring.open("sqlite:" + file)) {
            Ring ring = slipring.create(RingSpec.named("r").lanes(4));
            for (int i = 0; i < 40; i++) {
                ring.push(Message.of("x".repeat(9_000)).key(key + i));
            }
        }
        try (Connection other = Given.jdbc(file);
                Statement sql = other.createStatement()) {
            assertThat(
                            sql.executeUpdate(
                                    "DELETE FROM slipring_cell WHERE id IN (SELECT cell FROM"
                                            + " slipring_slot s JOIN slipring_ring r"
                                            + " WHERE s.id >> 48 = r.shelf + 1)"))
                    .isPositive();
        }
        long others = IntStream.range(0, 40).filter(i -> Lanes.of(key + i, 4) != 1).count();
        try (Slipring slipring = Slipring.open("sqlite:" + file)) {
            Ring ring = slipring.ring("r");
            for (long got = 0; got < others; got++) {
                ring.stage().claim(1, Duration.ZERO).done();
            }
            assertThatThrownBy(() -> ring.stage().claim(1, Duration.ZERO))
                    .isInstanceOf(StoreFailed.class)
                    .hasMessageContaining("lane 1: the messages from 0 to 0 are not there");
            assertThat(ring.check())
                    .anyMatch(words -> words.startsWith("lane 1: the slot at 0 cannot be read"));
        }
    }
}
