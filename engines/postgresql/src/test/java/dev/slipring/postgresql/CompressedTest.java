// SPDX-License-Identifier: Apache-2.0
package dev.slipring.postgresql;

import static org.assertj.core.api.Assertions.assertThat;

import dev.slipring.Claim;
import dev.slipring.Delivery;
import dev.slipring.Message;
import dev.slipring.Ring;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

import java.nio.charset.StandardCharsets;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;

/** A ring whose owner lets the server compress its messages, as the page tells. */
class CompressedTest {

    /** The largest piece of a body, and lengths about it. */
    private static final List<Integer> LENGTHS =
            List.of(0, 300, 7_900, 7_990, 8_000, 8_001, 50_000);

    @RegisterExtension private final NewDatabase database = new NewDatabase();

    private Ring ring;

    @BeforeEach
    void create() {
        ring = database.ring(1);
    }

    /** What the page tells to run, with the method that every server has. */
    private void compress(String storage) throws SQLException {
        for (int segment = 0; segment < 8; segment++) {
            database.run(
                    "ALTER TABLE slipring.slot_{ring}_"
                            + segment
                            + " ALTER body SET STORAGE "
                            + storage
                            + ", ALTER body SET COMPRESSION pglz");
        }
    }

    private static byte[] text(int length) {
        return "{\"order\": 12345, \"state\": \"sent\"}, "
                .repeat(length / 32 + 1)
                .substring(0, length)
                .getBytes(StandardCharsets.US_ASCII);
    }

    private static byte[] noise(int length) {
        byte[] body = new byte[length];
        new Random(length).nextBytes(body);
        return body;
    }

    private static List<byte[]> bodies() {
        return LENGTHS.stream().flatMap(length -> Stream.of(text(length), noise(length))).toList();
    }

    /** Pushes bodies, each in a slot of its own and all in one, and claims them. */
    private void goThrough(List<byte[]> bodies) {
        bodies.forEach(body -> ring.push(Message.of(body)));
        ring.pushAll(bodies.stream().map(Message::of).toList());
        List<byte[]> came = new ArrayList<>();
        while (came.size() < 2 * bodies.size()) {
            Claim claim = ring.stage().claim(1_000, Duration.ofSeconds(10));
            claim.deliveries().stream()
                    .map(Delivery::message)
                    .map(Message::body)
                    .forEach(came::add);
            claim.done();
        }
        for (int i = 0; i < came.size(); i++) {
            assertThat(came.get(i)).isEqualTo(bodies.get(i % bodies.size()));
        }
    }

    @Test
    void messagesComeAsTheyWerePushed() throws SQLException {
        ring.push("before");
        compress("MAIN");
        assertThat(ring.stage().claim(1, Duration.ZERO).deliveries())
                .extracting(delivery -> delivery.message().text())
                .containsExactly("before");
        goThrough(bodies());
        ring.push(Message.of(text(50_000)));
        compress("PLAIN");
        assertThat(ring.stage().claim(1, Duration.ZERO).deliveries())
                .extracting(delivery -> delivery.message().body())
                .containsExactly(text(50_000));
        assertThat(ring.check()).isEmpty();
    }

    /** Else each segment would have a second table to empty, with an index. */
    @Test
    void nothingStandsBesideTheSegment() throws SQLException {
        compress("MAIN");
        bodies().forEach(body -> ring.push(Message.of(body)));
        assertThat(
                        database.number(
                                "SELECT count(*) FROM slipring.slot_{ring}_0"
                                        + " WHERE pg_column_compression(body) = 'pglz'"))
                .isPositive();
        assertThat(
                        database.number(
                                "SELECT pg_relation_size(reltoastrelid) FROM pg_class"
                                        + " WHERE oid = 'slipring.slot_{ring}_0'::regclass"))
                .isZero();
    }
}
