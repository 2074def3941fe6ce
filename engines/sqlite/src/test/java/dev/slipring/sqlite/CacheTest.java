// SPDX-License-Identifier: Apache-2.0
package dev.slipring.sqlite;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.slipring.Claim;
import dev.slipring.Message;
import dev.slipring.Ring;
import dev.slipring.Slipring;
import dev.slipring.engine.Change;
import dev.slipring.engine.Slot;
import dev.slipring.engine.SlotCodec;
import dev.slipring.graph.RingSpec;
import dev.slipring.graph.Shape;
import dev.slipring.ledger.LaneRange;
import dev.slipring.ledger.Rows;
import dev.slipring.ledger.SlotRow;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;

/** What a store remembers of its file is forgotten where it does not hold any more. */
class CacheTest {

    private static final LaneRange FIRST = new LaneRange(0, 0, 1);

    @TempDir Path folder;

    /** Does work in a transaction that is rolled back. */
    private static void inVain(SqliteStore store, Consumer<Rows> work) {
        assertThatThrownBy(
                        () ->
                                store.transactor()
                                        .write(
                                                true,
                                                rows -> {
                                                    work.accept(rows);
                                                    throw new IllegalStateException("enough");
                                                }))
                .isInstanceOf(IllegalStateException.class);
    }

    @Test
    void aPushThatWasRolledBackIsNotHandedOut() {
        try (SqliteStore store = Given.ring(folder.resolve("x.db"))) {
            SlotRow wrong = new SlotRow(0, 0, 1, 0, 0, 0, body("wrong"));
            inVain(
                    store,
                    rows -> {
                        rows.lanes().append(1, wrong);
                        assertThat(rows.lanes().slots(1, FIRST, 1)).hasSize(1);
                    });
            store.push("r", List.of(new Slot(0, 0, 0, 1, body("right"))));
            SlotRow there = store.transactor().read(rows -> rows.lanes().slots(1, FIRST, 1).get(0));
            assertThat(there.body()).isEqualTo(body("right"));
        }
    }

    private static byte[] body(String text) {
        return SlotCodec.encode(List.of(Message.of(text.repeat(1000).getBytes())));
    }

    @Test
    void aShapeThatWasRolledBackIsNotFound() {
        try (SqliteStore store = Given.ring(folder.resolve("x.db"))) {
            Shape before = store.shape("r").orElseThrow();
            inVain(
                    store,
                    rows -> {
                        Shape shape = rows.rings().find("r");
                        long next = shape.version() + 1;
                        rows.rings()
                                .update(new Shape(shape.id(), next, shape.spec(), Set.of("main")));
                        assertThat(rows.rings().find("r").paused()).containsExactly("main");
                    });
            assertThat(store.shape("r").orElseThrow()).isEqualTo(before);
            store.change("r", new Change.Resize(7, 70));
            assertThat(store.shape("r").orElseThrow().paused()).isEmpty();
            assertThat(store.shape("r").orElseThrow().spec().messages()).isEqualTo(7);
        }
    }

    @Test
    void aRingMadeAnewIsAnother() {
        Path file = folder.resolve("x.db");
        try (SqliteStore store = Given.ring(file);
                SqliteStore other = Given.store(file)) {
            store.push("r", List.of(new Slot(0, 0, 0, 1, body("old"))));
            assertThat(other.claim("r", Given.claim(1)).isEmpty()).isFalse();
            Shape old = other.shape("r").orElseThrow();
            store.change("r", new Change.Drop());
            assertThat(other.shape("r")).isEmpty();
            store.change("r", new Change.Create(RingSpec.named("r").lanes(3)));
            Shape anew = other.shape("r").orElseThrow();
            assertThat(anew.id()).isGreaterThan(old.id());
            assertThat(anew.version()).isEqualTo(anew.id() << 20);
            assertThat(anew.spec().lanes()).isEqualTo(3);
            store.push("r", List.of(new Slot(0, 0, 0, 1, body("new"))));
            assertThat(other.claim("r", Given.claim(1)).deliveries().get(0).message().text())
                    .startsWith("new");
        }
    }

    /**
     * What is remembered of a stage, and of what it has set aside, is forgotten when others commit.
     */
    @Test
    void whatOthersDidIsSeen() {
        String url = "sqlite:" + folder.resolve("x.db");
        try (Slipring one = Slipring.open(url);
                Slipring two = Slipring.open(url)) {
            Ring ring = one.create(RingSpec.named("r"));
            ring.push("a");
            Claim theirs = two.ring("r").stage().claim(1, Duration.ZERO);
            assertThat(ring.stage().claim(1, Duration.ZERO).deliveries()).isEmpty();
            theirs.fail(theirs.deliveries().get(0), "once more", Duration.ZERO);
            Claim mine = ring.stage().claim(1, Duration.ofSeconds(60));
            assertThat(mine.deliveries()).hasSize(1);
            assertThat(mine.deliveries().get(0).attempt()).isEqualTo(2);
            mine.done();
            assertThat(ring.check()).isEmpty();
        }
    }

    @Test
    void ringsDoNotMixTheirSlots() {
        try (SqliteStore store = Given.store(folder.resolve("x.db"))) {
            for (String name : List.of("a", "b", "c")) {
                store.change(name, new Change.Create(RingSpec.named(name).lanes(4)));
            }
            store.change("b", new Change.Drop());
            store.change("d", new Change.Create(RingSpec.named("d").lanes(5)));
            store.change("e", new Change.Create(RingSpec.named("e").lanes(2)));
            store.change("f", new Change.Create(RingSpec.named("f").lanes(2)));
            for (String name : List.of("a", "c", "d", "e", "f")) {
                for (int lane = 0; lane < store.shape(name).orElseThrow().spec().lanes(); lane++) {
                    store.push(name, List.of(new Slot(lane, 0, 0, 1, body(name + lane))));
                }
            }
            for (String name : List.of("a", "c", "d", "e", "f")) {
                assertThat(store.survey(name, true).broken()).isEmpty();
            }
            store.change("e", new Change.Drop());
            assertThat(store.survey("d", true).heldMessages()).isEqualTo(5);
            assertThat(store.survey("f", true).broken()).isEmpty();
        }
    }
}
