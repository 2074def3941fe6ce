// SPDX-License-Identifier: Apache-2.0
package dev.slipring.postgresql;

import static org.assertj.core.api.Assertions.assertThat;

import dev.slipring.Claim;
import dev.slipring.Delivery;
import dev.slipring.Message;
import dev.slipring.Ring;
import dev.slipring.graph.FanOut;
import dev.slipring.graph.RingSpec;
import dev.slipring.graph.StageSpec;
import dev.slipring.graph.Start;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.Set;

/**
 * A segment is emptied only when all stages are done with it, whatever the session that empties it
 * saw before.
 */
class SegmentTest {

    private static final String OLDEST = "SELECT total FROM slipring.slot_{ring}_0";

    @RegisterExtension private final NewDatabase database = new NewDatabase();

    private Ring ring;

    @BeforeEach
    void pushOne() {
        ring = database.ring(1, FanOut.to("fast").and("slow"));
        ring.push("a");
    }

    private Claim claim(String stage) {
        return ring.stage(stage).claim(1, Duration.ZERO);
    }

    /**
     * Empties the current segment, like a session that has found that all stages are done with it;
     * returns how many rows are left.
     */
    private long empty() throws SQLException {
        try (Statement statement = database.other().createStatement()) {
            statement.execute(
                    "SELECT slipring.empty_segment(r, pg_sequence_last_value(r.turn))"
                            + " FROM slipring.ring r");
        }
        return database.number("SELECT count(*) FROM slipring.slot_{ring}_0");
    }

    @Test
    void whatAllAreDoneWithGoes() throws SQLException {
        claim("fast").done();
        claim("slow").done();
        assertThat(empty()).isZero();
    }

    @Test
    void whatOneStageIsBehindInStays() throws SQLException {
        claim("fast").done();
        assertThat(empty()).isEqualTo(1);
        assertThat(claim("slow").deliveries()).hasSize(1);
    }

    /**
     * A segment stays if it is not known how far a stage is, as in a dump during which a page of
     * the log was emptied.
     */
    @Test
    void whatAStageIsNotKnownToBeDoneWithStays() throws SQLException {
        claim("fast").done();
        database.run("DELETE FROM slipring.strand WHERE stage = 'slow'");
        assertThat(ring.check()).contains("stage 'slow', lane 0: there is no strand");
        assertThat(empty()).isEqualTo(1);
    }

    /** The same holds for the stages that follow. */
    @Test
    void whatAStageIsNotKnownToBeDoneWithIsKeptBack() throws SQLException {
        ring.addStage(StageSpec.named("behind"), Set.of("fast", "slow"), Start.OLDEST);
        claim("fast").done();
        database.run("DELETE FROM slipring.strand WHERE stage = 'slow'");
        assertThat(claim("behind").deliveries()).isEmpty();
    }

    /** What is on its way to such a stage is not lost. */
    @Test
    void whatComesLateWaitsForWhatIsNotKnown() throws SQLException {
        ring.addStage(StageSpec.named("behind"), Set.of("fast", "slow"), Start.OLDEST);
        Claim fails = claim("fast");
        fails.fail(fails.deliveries().get(0), "no", Duration.ZERO);
        claim("slow").done();
        assertThat(claim("behind").deliveries()).isEmpty();
        database.run("CREATE TABLE slow AS SELECT * FROM slipring.strand WHERE stage = 'slow'");
        database.run("DELETE FROM slipring.strand WHERE stage = 'slow'");
        ring.stage("fast").claim(1, Duration.ofSeconds(20)).done();
        assertThat(claim("behind").deliveries()).isEmpty();
        database.run("INSERT INTO slipring.strand SELECT * FROM slow");
        assertThat(ring.stage("behind").claim(1, Duration.ofSeconds(20)).deliveries()).hasSize(1);
    }

    @Test
    void whatOneLaneIsBehindInStays() throws SQLException {
        Ring two = database.slipring().create(RingSpec.named("two").lanes(2));
        for (int i = 0; i < 16; i++) {
            two.push(Message.of("m").key("k" + i));
        }
        Claim one = two.stage().claim(16, Duration.ZERO);
        int done = one.lane();
        String count =
                "SELECT count(*) FROM slipring.slot_"
                        + database.text("SELECT id FROM slipring.ring WHERE name = 'two'")
                        + "_0";
        long rows = database.number(count);
        one.done();
        empty();
        assertThat(database.number(count)).isEqualTo(rows);
        Claim other = two.stage().claim(16, Duration.ZERO);
        assertThat(other.lane()).isNotEqualTo(done);
        other.done();
        empty();
        assertThat(database.number(count)).isZero();
    }

    /** The newer segment is emptied before the older one, which a session uses. */
    @Test
    void aLaneGoesOnWhereItEndedWhateverIsLeftOfIt() throws SQLException {
        database.nextSegment();
        ring.push("bb");
        database.nextSegment();
        for (String stage : List.of("fast", "slow")) {
            claim(stage).done();
            claim(stage).done();
        }
        try (Connection user = database.connect();
                Statement statement = user.createStatement()) {
            user.setAutoCommit(false);
            statement.execute(database.of("SELECT FROM slipring.slot_{ring}_0"));
            database.run("SELECT slipring.tidy('r')");
            assertThat(database.number("SELECT count(*) FROM slipring.slot_{ring}_0")).isOne();
            assertThat(database.number("SELECT count(*) FROM slipring.slot_{ring}_1")).isZero();
            String below = "SELECT slipring.bytes_below(r, 0, 2) FROM slipring.ring r";
            long before = database.number(below);
            ring.push("ccc");
            assertThat(before).as("bytes of what is done").isGreaterThan(database.number(OLDEST));
            assertThat(database.number(below)).isEqualTo(before);
            for (String stage : List.of("fast", "slow")) {
                Claim claim = claim(stage);
                assertThat(claim.deliveries()).extracting(Delivery::text).containsExactly("ccc");
                claim.done();
            }
        }
        assertThat(ring.info().heldMessages()).isZero();
        assertThat(database.heldBytes()).isZero();
        assertThat(ring.check()).isEmpty();
    }

    @Test
    void whatCameSinceTheFirstLookStays() throws SQLException {
        claim("fast").done();
        claim("slow").done();
        ring.push("b");
        assertThat(empty()).isEqualTo(2);
        assertThat(claim("fast").deliveries()).hasSize(1);
    }
}
