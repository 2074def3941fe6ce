// SPDX-License-Identifier: Apache-2.0
package dev.slipring.postgresql;

import static org.assertj.core.api.Assertions.assertThat;

import dev.slipring.Claim;
import dev.slipring.Delivery;
import dev.slipring.Message;
import dev.slipring.Ring;
import dev.slipring.Slipring;
import dev.slipring.Stage;
import dev.slipring.graph.FanOut;
import dev.slipring.graph.RingSpec;
import dev.slipring.graph.Start;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;

/** A process does not read back what it has pushed itself, but everything else. */
class OwnPushesTest {

    private static final int MANY = 100;
    private static final String TAKE =
            "slipring.take_{ring}('main', 1000, 'w', -1, -1, 0, true, %1$s, 2, 3)";
    private static final String CLAIM =
            "slipring.claim_slots('r', 'main', 1000, 'w', NULL, NULL, NULL, NULL, NULL, NULL, NULL,"
                    + " NULL, NULL, %1$s, 2, 3)";

    @RegisterExtension private final NewDatabase database = new NewDatabase();

    /** Messages that make a slot of two rows or more, in the lane of a key. */
    private static List<Message> large(String name, String key) {
        return IntStream.range(0, MANY)
                .mapToObj(i -> Message.of(name + i + "-".repeat(200)).key(key))
                .toList();
    }

    private static List<String> texts(List<Message> messages) {
        return messages.stream().map(Message::text).toList();
    }

    private static List<String> all(Stage stage) {
        List<String> texts = new ArrayList<>();
        for (Claim claim = stage.claim(1000, Duration.ZERO);
                !claim.isEmpty();
                claim = stage.claim(1000, Duration.ZERO)) {
            claim.deliveries().stream().map(Delivery::text).forEach(texts::add);
            claim.done();
        }
        return texts;
    }

    /** Numbers 2 to 4 are large, 1 and 5 are not. */
    @ParameterizedTest
    @ValueSource(strings = {TAKE, CLAIM})
    void bodiesOfTheNumbersThatAreKeptDoNotCome(String claim) throws SQLException {
        Ring ring = database.ring(1);
        ring.push("small");
        for (String name : List.of("a", "b", "c")) {
            ring.pushAll(large(name, null));
        }
        ring.push("small");
        String count = "SELECT count(*) FROM " + claim + " WHERE first IS NOT NULL AND ";
        String nobody = count.formatted("NULL");
        String others =
                count.formatted("(SELECT producer + 1 FROM slipring.slot_{ring}_0 LIMIT 1)");
        String own = count.formatted("(SELECT producer FROM slipring.slot_{ring}_0 LIMIT 1)");
        assertThat(handedOut(nobody + "body IS NOT NULL AND number IS NULL")).isEqualTo(5);
        assertThat(handedOut(others + "body IS NOT NULL AND number IS NULL")).isEqualTo(5);
        assertThat(handedOut(own + "body IS NULL AND number IN (2, 3)")).isEqualTo(2);
        assertThat(handedOut(own + "body IS NOT NULL AND number IN (1, 4, 5)")).isEqualTo(3);
    }

    /** Runs a claim and rolls it back, so that the next one finds the same; returns its number. */
    private long handedOut(String sql) throws SQLException {
        Connection connection = database.other();
        connection.setAutoCommit(false);
        try (var statement = connection.createStatement();
                var row = statement.executeQuery(database.of(sql))) {
            row.next();
            return row.getLong(1);
        } finally {
            connection.rollback();
            connection.setAutoCommit(true);
        }
    }

    @Test
    void whatIsKeptIsNotReadBack() throws SQLException {
        Ring ring = database.slipring().create(RingSpec.named("r").graph(twoStages()));
        List<Message> messages = large("kept", null);
        ring.pushAll(messages);
        database.run("DELETE FROM slipring.slot_{ring}_0 WHERE rest");
        assertThat(all(ring.stage("one"))).isEqualTo(texts(messages));
        assertThat(all(ring.stage("two"))).isEqualTo(texts(messages));
    }

    private static FanOut twoStages() {
        return FanOut.to("one").and("two");
    }

    @Test
    void pushesOfOthersComeBetweenOnesOwn() throws SQLException {
        Ring ring = database.slipring().create(RingSpec.named("r").graph(twoStages()));
        List<String> pushed = new ArrayList<>();
        try (Slipring other = Slipring.open(database.url());
                Connection joined = database.connect()) {
            joined.setAutoCommit(false);
            for (int i = 0; i < 12; i++) {
                List<Message> messages = large("push " + i + " ", "key");
                pushed.addAll(texts(messages));
                switch (i % 3) {
                    case 0 -> ring.pushAll(messages);
                    case 1 -> other.ring("r").pushAll(messages);
                    default -> {
                        ring.join(joined).push(messages.toArray(Message[]::new));
                        joined.commit();
                    }
                }
            }
        }
        assertThat(all(ring.stage("one"))).isEqualTo(pushed);
        ring.stage("one").rewind(Start.OLDEST);
        assertThat(all(ring.stage("one"))).isEqualTo(pushed);
        assertThat(all(ring.stage("two"))).isEqualTo(pushed);
    }

    @Test
    void aPushOverAllLanesIsKeptInEachOfThem() throws SQLException {
        Ring ring = database.ring(4);
        List<Message> messages = new ArrayList<>();
        for (int key = 0; key < 20; key++) {
            messages.addAll(large("key " + key + " ", "" + key));
        }
        ring.pushAll(messages);
        ring.pushAll(messages);
        database.run("DELETE FROM slipring.slot_{ring}_0 WHERE rest");
        List<String> twice = new ArrayList<>(texts(messages));
        twice.addAll(texts(messages));
        assertThat(all(ring.stage())).containsExactlyInAnyOrderElementsOf(twice);
    }

    @Test
    void whatFailedComesFromTheServer() {
        Ring ring = database.ring(1);
        List<Message> messages = large("m", null);
        ring.pushAll(messages);
        Claim claim = ring.stage().claim(1000, Duration.ZERO);
        Delivery first = claim.deliveries().get(0);
        claim.fail(first, "not yet", Duration.ZERO);
        claim.giveBack();
        assertThat(all(ring.stage())).containsExactlyInAnyOrderElementsOf(texts(messages));
    }
}
