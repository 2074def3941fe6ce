// SPDX-License-Identifier: Apache-2.0
package dev.slipring.sqlite;

import static org.assertj.core.api.Assertions.assertThat;

import dev.slipring.Claim;
import dev.slipring.Message;
import dev.slipring.Ring;
import dev.slipring.Slipring;
import dev.slipring.engine.Change;
import dev.slipring.engine.Store;
import dev.slipring.graph.FanOut;
import dev.slipring.graph.RingSpec;
import dev.slipring.graph.StageSpec;
import dev.slipring.ledger.LaneRange;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.nio.file.Path;
import java.sql.Connection;
import java.time.Duration;
import java.util.Collections;
import java.util.List;

/** Dead letters that one stage has dropped, and another keeps. */
class DroppedTest {

    private static final int LETTERS = 500;

    @TempDir Path folder;

    /** Looked for with each message that leaves the ring. Counted by the steps of SQLite's. */
    @Test
    void theLettersOfAllOthersAreNotReadForEach() throws Exception {
        Path file = folder.resolve("x.db");
        FanOut graph = FanOut.to("a").and("b");
        try (Store store = Given.store(file);
                Connection other = Given.jdbc(file)) {
            store.change("r", new Change.Create(RingSpec.named("r").graph(graph)));
            Kept.put(other, "a", "dropped", LETTERS + 1);
            Kept.put(other, "b", "dead", LETTERS);
            LaneRange all = new LaneRange(0, 0, LETTERS + 1);
            Kept.Look look =
                    aside -> assertThat(aside.deleteDropped(1, "a", all)).isOne();
            assertThat(Kept.steps(other, look)).isLessThan(1_000L * LETTERS);
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

    /** Each is looked at when its slot leaves the ring, and when the other stage lets go of it. */
    @Test
    void whatTheOtherStageKeepsIsNotLookedAtAgain() throws Exception {
        Path file = folder.resolve("x.db");
        FanOut graph = FanOut.to(StageSpec.named("a").tries(1)).and(StageSpec.named("b").tries(1));
        String rows = "SELECT COUNT(*) FROM slipring_aside";
        try (Slipring slipring = Slipring.open("sqlite:" + file);
                Connection other = Given.jdbc(file)) {
            Ring ring = slipring.create(RingSpec.named("r").graph(graph));
            for (int i = 0; i < 4; i++) {
                ring.push("x");
            }
            for (String stage : List.of("a", "b")) {
                for (int i = 0; i < 3; i++) {
                    Claim claim = ring.stage(stage).claim(1, Duration.ZERO);
                    claim.fail(claim.deliveries().get(0), "no");
                }
            }
            ring.stage("a").dropAllDead();
            assertThat(Given.number(other, rows)).isEqualTo(6);
            // The slots of the three have left: this lets go of what nobody looks at again.
            ring.stage("b").dropDead(List.of("0-0"));
            assertThat(Given.number(other, rows)).isEqualTo(4);
            ring.stage("b").retryDead(List.of("0-1"));
            ring.stage("b").claim(1, Duration.ZERO).done();
            assertThat(Given.number(other, rows)).isEqualTo(2);
            assertThat(ring.check()).isEmpty();
            ring.stage("b").remove();
            assertThat(Given.number(other, rows)).isZero();
            assertThat(ring.check()).isEmpty();
        }
    }

    /** A report reads as much with very many of them as with a few. */
    @Test
    void aReportDoesNotGrowWithThem() throws Exception {
        assertThat(stepsOfAReport(folder.resolve("many.db"), 400))
                .isLessThan(2 * stepsOfAReport(folder.resolve("few.db"), 4));
    }

    /** What a report takes that moves the gate, behind letters that a has dropped and b keeps. */
    private static long stepsOfAReport(Path file, int letters) throws Exception {
        FanOut graph = FanOut.to(StageSpec.named("a").tries(1)).and(StageSpec.named("b").tries(1));
        try (Slipring slipring = Slipring.open("sqlite:" + file);
                Connection other = Given.jdbc(file)) {
            Ring ring = slipring.create(RingSpec.named("r").graph(graph));
            ring.pushAll(Collections.nCopies(letters, Message.of("x")));
            ring.push("y");
            ring.push("z");
            for (String stage : List.of("a", "b")) {
                Claim claim = ring.stage(stage).claim(letters, Duration.ZERO);
                claim.deliveries().forEach(letter -> claim.fail(letter, "no"));
            }
            ring.stage("a").dropAllDead();
            ring.stage("a").claim(2, Duration.ZERO).done();
            ring.stage("b").claim(1, Duration.ZERO).done();
            Claim last = ring.stage("b").claim(1, Duration.ZERO);
            other.setAutoCommit(false);
            long steps = Kept.steps(other, () -> ring.join(other).done(last));
            other.commit();
            assertThat(ring.check()).isEmpty();
            return steps;
        }
    }
}
