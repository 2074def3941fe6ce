// SPDX-License-Identifier: Apache-2.0
package dev.slipring.postgresql;

import static org.assertj.core.api.Assertions.assertThat;

import dev.slipring.Claim;
import dev.slipring.Delivery;
import dev.slipring.Ring;
import dev.slipring.Stage;
import dev.slipring.graph.StageSpec;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/** What a stage meets where the next segment, or the next page of the log, begins. */
@Timeout(120)
class TurnTest {

    @RegisterExtension private final NewDatabase database = new NewDatabase();

    private void other(String sql) throws SQLException {
        try (Statement statement = database.other().createStatement()) {
            statement.execute(database.of(sql));
        }
    }

    /**
     * Makes an ordered stage with three messages in each of two segments; returns one claim of all.
     */
    private Claim overTwoSegments(Duration lease) throws SQLException {
        StageSpec stage = StageSpec.named("main").ordered().lease(lease);
        Ring ring = database.ring(1, stage);
        for (String text : List.of("a", "b", "c", "d", "e", "f")) {
            if (text.equals("d")) {
                database.nextSegment();
            }
            ring.push(text);
        }
        Claim claim = ring.stage().claim(10, Duration.ZERO);
        assertThat(claim.deliveries()).hasSize(6);
        return claim;
    }

    private List<String> rest() {
        Stage stage = database.slipring().ring("r").stage();
        List<String> texts = new ArrayList<>();
        while (texts.isEmpty() || !texts.get(texts.size() - 1).equals("f")) {
            Claim claim = stage.claim(10, Duration.ofSeconds(20));
            claim.deliveries().stream().map(Delivery::text).forEach(texts::add);
            claim.done();
        }
        return texts;
    }

    @Test
    void whatGoesBackInAnEarlierSegmentComesAgain() throws SQLException {
        Claim claim = overTwoSegments(Duration.ofSeconds(30));
        claim.done(claim.deliveries().get(0));
        claim.giveBack();
        assertThat(rest()).containsExactly("b", "c", "d", "e", "f");
    }

    @Test
    void whatRanOutInAnEarlierSegmentComesAgain() throws SQLException {
        overTwoSegments(Duration.ofMillis(1));
        database.run("UPDATE slipring.stage SET lease_ms = 30000");
        assertThat(rest()).containsExactly("a", "b", "c", "d", "e", "f");
    }

    @Test
    void aClaimThatLooksAtTwoSegmentsOneAfterTheOtherPassesNothingBy() throws SQLException {
        Ring ring = database.ring(1);
        other("BEGIN; SELECT slipring.push('r', 'a'::text); " + NewDatabase.NEXT_SEGMENT);
        // When the claim waits for the second segment, it has looked at the first one.
        other("LOCK TABLE slipring.slot_{ring}_1; SELECT slipring.push('r', 'f'::text)");
        CompletableFuture<Long> take =
                CompletableFuture.supplyAsync(
                        () -> {
                            try {
                                return database.number(
                                        "SELECT positions[1] FROM slipring.take_{ring}('main', 10,"
                                            + " 'w', -1, -1, 0, true) WHERE status = 'claimed'");
                            } catch (SQLException e) {
                                throw new IllegalStateException(e);
                            }
                        });
        database.awaitWaiting(1, "relation = 'slipring.slot_{ring}_1'::regclass", take);
        other("COMMIT");
        assertThat(take.join()).as("the first position that was claimed").isZero();
        assertThat(ring.info().stages().get(0).inHand()).hasSize(1);
    }

    @Test
    void aStrandIsFoundWhileItsPageIsEmptied() throws SQLException {
        database.ring(1);
        other("SELECT setval('slipring.page', 1)");
        other("BEGIN; SELECT slipring.carry(1); SELECT slipring.empty_page(0)");
        CompletableFuture<Long> found =
                CompletableFuture.supplyAsync(
                        () -> {
                            try {
                                return database.number(
                                        "SELECT count((slipring.strand_now({ring}, 'main',"
                                                + " 0)).no)");
                            } catch (SQLException e) {
                                throw new IllegalStateException(e);
                            }
                        });
        database.awaitWaiting(1, "relation = 'slipring.strand_0'::regclass", found);
        other("COMMIT");
        assertThat(found.join()).isOne();
        try (Statement statement = database.other().createStatement();
                ResultSet page = statement.executeQuery("SELECT page FROM slipring.strand")) {
            assertThat(page.next()).isTrue();
            assertThat(page.getInt(1)).isOne();
        }
    }

    /** Segments and pages are counted for as long as the store lasts. */
    @Test
    void segmentsAndPagesAreMoreThanAnIntCounts() throws SQLException {
        Ring ring = database.ring(1);
        long last = Integer.MAX_VALUE;
        database.run("SELECT setval('slipring.turn_{ring}', " + last + ")");
        database.run("SELECT setval('slipring.page', " + last + ")");
        List<String> texts = new ArrayList<>();
        for (int i = 0; i < 20; i++) {
            ring.push("m" + i);
            if (i % 2 == 1) {
                // The claim goes from one segment to the next.
                Claim claim = ring.stage().claim(3, Duration.ofSeconds(20));
                claim.deliveries().stream().map(Delivery::text).forEach(texts::add);
                claim.done();
            }
            database.nextSegment();
            database.run("SELECT setval('slipring.page', 1 + last_value) FROM slipring.page");
            database.run("SELECT slipring.tidy('r')");
        }
        assertThat(texts).hasSize(20).first().isEqualTo("m0");
        assertThat(texts).last().isEqualTo("m19");
        assertThat(ring.info().heldMessages()).isZero();
        assertThat(ring.check()).isEmpty();
    }
}
