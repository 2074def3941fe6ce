// SPDX-License-Identifier: Apache-2.0
package dev.slipring.sqlite;

import static org.assertj.core.api.Assertions.assertThat;

import dev.slipring.Claim;
import dev.slipring.Ring;
import dev.slipring.Slipring;
import dev.slipring.engine.Change;
import dev.slipring.engine.Store;
import dev.slipring.graph.FanOut;
import dev.slipring.graph.RingSpec;
import dev.slipring.graph.StageSpec;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.nio.file.Path;
import java.sql.Connection;
import java.time.Duration;

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
            Kept.Look look =
                    aside -> assertThat(aside.deleteDropped(1, "a", 0, LETTERS + 1)).isOne();
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
}
