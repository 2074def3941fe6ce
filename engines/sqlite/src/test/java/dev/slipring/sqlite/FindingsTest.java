// SPDX-License-Identifier: Apache-2.0
package dev.slipring.sqlite;

import static org.assertj.core.api.Assertions.assertThat;

import dev.slipring.Claim;
import dev.slipring.Message;
import dev.slipring.Ring;
import dev.slipring.Slipring;
import dev.slipring.Stage;
import dev.slipring.engine.Lanes;
import dev.slipring.graph.FanOut;
import dev.slipring.graph.RingSpec;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.nio.file.Path;
import java.sql.Connection;
import java.sql.Statement;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.stream.IntStream;

/** Whatever a check looks at it also finds: each with one value that is wrong, or one row less. */
class FindingsTest {

    @TempDir private Path folder;

    /**
     * A ring without a fault: of its messages 0 waits for a retry in the first stage, 1 is done
     * with in both, 2 to 4 are in two claims of the first, and nobody had 5 and 6, which share a
     * slot.
     */
    private Path ring() throws Exception {
        Path file = folder.resolve("x.db");
        try (Slipring slipring = Slipring.open("sqlite:" + file)) {
            Ring ring =
                    slipring.create(RingSpec.named("r").graph(FanOut.to("first").then("second")));
            assertThat(ring.check()).isEmpty();
            ring.pushAll(List.of(Message.of("fails"), Message.of("done")));
            for (String body : List.of("2", "3", "4")) {
                ring.push(Message.of(body));
            }
            ring.pushAll(List.of(Message.of("5"), Message.of("6")));
            Stage first = ring.stage("first");
            Claim claim = first.claim(2, Duration.ZERO);
            claim.fail(claim.deliveries().get(0), "no");
            claim.done();
            assertThat(first.claim(2, Duration.ZERO).deliveries()).hasSize(2);
            assertThat(first.claim(1, Duration.ZERO).deliveries()).hasSize(1);
            ring.stage("second").claim(9, Duration.ZERO).done();
            assertThat(ring.stage("second").claim(1, Duration.ZERO).isEmpty()).isTrue();
            assertThat(ring.check()).isEmpty();
        }
        return file;
    }

    private void assertFinds(String damage, String words) throws Exception {
        Path file = ring();
        try (Connection other = Given.jdbc(file);
                Statement sql = other.createStatement()) {
            assertThat(sql.executeUpdate(damage)).isOne();
        }
        try (Slipring slipring = Slipring.open("sqlite:" + file)) {
            assertThat(slipring.ring("r").check()).anyMatch(each -> each.contains(words));
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '"',
            textBlock =
                    """
                    gate = 3           | the gate is at 3, the slowest stage at 2
                    head = 9           | the messages from 7 to 8 are not there
                    head = 6           | the slots end at 7, the head is at 6
                    bytes = bytes - 1  | the slots have
                    bytes = bytes + 1  | the slots have
                    """)
    void ofALane(String wrong, String words) throws Exception {
        assertFinds("UPDATE slipring_sequence SET " + wrong + " WHERE stage = ''", words);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '"',
            textBlock =
                    """
                    DELETE FROM slipring_slot          | 2 | the gate is at 2, the oldest slot at 3
                    DELETE FROM slipring_slot          | 3 | the messages from 3 to 3 are not there
                    UPDATE slipring_slot SET count = 2 | 3 | a slot begins at 4, not at 5
                    UPDATE slipring_slot SET count = 2 | 3 | the slot at 3 does not hold 2 messages
                    UPDATE slipring_slot SET count = 1 | 5 | the slot at 5 does not hold 1 messages
                    """)
    void ofASlot(String damage, int at, String words) throws Exception {
        assertFinds(damage + " WHERE id & 65535 = " + at, words);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '"',
            textBlock =
                    """
                    first  | claimed = 8          | done 2, claimed 8, head 7 are out of order
                    first  | claimed = 1          | done 2, claimed 1, head 7 are out of order
                    first  | done = 1             | done is 1, the lowest claim at 2
                    first  | done = 3             | done is 3, the lowest claim at 2
                    second | claimed = 3          | the stages that it follows are done with 2
                    first  | last_epoch = last_epoch - 1 | has an epoch from the future
                    first  | waiting = 2          | 1 messages are waiting, not 2
                    first  | waiting = 0          | 1 messages are waiting, not 0
                    first  | dead = 1             | 0 messages are dead, not 1
                    second | dropped = 1          | 0 messages are dropped, not 1
                    first  | redelivered = -1     | it counts -1 messages
                    first  | kept_bytes = 1 << 30 | it counts 1073741824 bytes
                    """)
    void ofAStage(String stage, String wrong, String words) throws Exception {
        assertFinds(
                "UPDATE slipring_sequence SET "
                        + wrong
                        + " WHERE epoch = 0 AND stage = '"
                        + stage
                        + "'",
                words);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '"',
            textBlock =
                    """
                    4 | end_position = 6   | claim at 0-4 ends at 6, behind what is claimed
                    4 | end_position = 4   | claim at 0-4 ends at 4, behind what is claimed
                    2 | end_position = 5   | claim at 0-4 overlaps the one before it
                    2 | settled = x'01'    | claim at 0-2 begins with what is settled
                    """)
    void ofAClaim(int first, String wrong, String words) throws Exception {
        assertFinds(
                "UPDATE slipring_sequence SET " + wrong + " WHERE first_position = " + first,
                words);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '"',
            textBlock =
                    """
                    position = 7               | the message kept for 0-7 is not between where
                    position = 6               | the message kept for 0-6 is another one
                    position = 2, blocks = 0   | 0-2 is not kept from the stages that follow
                    epoch = 1 << 50            | is in hand under epoch 1125899906842624, which
                    state = 'dead', epoch = 2  | is in hand under epoch 2, which is none
                    message = x'00'            | the message kept for 0-0 cannot be read
                    message = (SELECT body FROM slipring_slot WHERE id & 65535 = 5) | be read
                    """)
    void ofAMessageSetAside(String wrong, String words) throws Exception {
        assertFinds("UPDATE slipring_aside SET " + wrong, words);
    }

    /** What is set aside may be more than the limit, which is looked at before a claim. */
    @Test
    void thatAStageKeepsMoreThanItMayIsNoFault() {
        try (Slipring slipring = Slipring.open("sqlite:" + folder.resolve("x.db"))) {
            Ring ring = slipring.create(RingSpec.named("r").lanes(2).bytes(900));
            for (String key : List.of("a", "b", "c", "d")) {
                ring.push(Message.of("x".repeat(100)).key(key));
                Claim claim = ring.stage().claim(1, Duration.ZERO);
                claim.fail(claim.deliveries().get(0), "no");
            }
            ring.resize(4, 300);
            assertThat(ring.check()).isEmpty();
        }
    }

    /** The claim of lane 0 ends behind where the one of lane 1 begins. */
    @Test
    void claimsInTwoLanesDoNotOverlap() {
        try (Slipring slipring = Slipring.open("sqlite:" + folder.resolve("x.db"))) {
            Ring ring = slipring.create(RingSpec.named("r").lanes(2));
            ring.pushAll(Collections.nCopies(3, Message.of("x").key(key(0))));
            ring.push(Message.of("x").key(key(1)));
            assertThat(ring.stage().claim(9, Duration.ZERO).isEmpty()).isFalse();
            assertThat(ring.stage().claim(9, Duration.ZERO).isEmpty()).isFalse();
            assertThat(ring.check()).isEmpty();
        }
    }

    private static String key(int lane) {
        return IntStream.range(0, 100)
                .mapToObj(i -> "key " + i)
                .filter(key -> Lanes.of(key, 2) == lane)
                .findFirst()
                .orElseThrow();
    }
}
