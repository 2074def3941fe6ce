// SPDX-License-Identifier: Apache-2.0
package dev.slipring.kit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.slipring.Claim;
import dev.slipring.Fenced;
import dev.slipring.NoSuchRing;
import dev.slipring.Options;
import dev.slipring.Ring;
import dev.slipring.ShapeConflict;
import dev.slipring.Slipring;
import dev.slipring.SlipringException;
import dev.slipring.Stage;
import dev.slipring.StoreFailed;
import dev.slipring.graph.FanOut;
import dev.slipring.graph.NoSuchStage;
import dev.slipring.graph.RingSpec;
import dev.slipring.graph.StageSpec;
import dev.slipring.graph.Start;

import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * Rings that are made, found and dropped; stages that join, pause, rewind and leave while the ring
 * lives.
 */
public interface LivingGraph extends Promise {

    /**
     * To create a ring again in the same shape is fine; another shape is refused, and the error
     * names the difference.
     */
    @Test
    default void aShapeIsKept() {
        RingSpec spec =
                RingSpec.named("shape")
                        .messages(77)
                        .graph(
                                FanOut.to(stage("a").ordered())
                                        .and(stage("b"))
                                        .then(stage("c").tries(9)));
        assertThat(slipring().create(spec).spec().stages()).isEqualTo(spec.stages());
        assertThat(slipring().create(spec).spec().messages()).isEqualTo(77);
        assertThatThrownBy(() -> slipring().create(spec.messages(78)))
                .isInstanceOf(ShapeConflict.class)
                .hasMessageContaining("messages is 77, not 78");
        assertThatThrownBy(() -> slipring().create(spec.graph(stage("a"))))
                .isInstanceOf(ShapeConflict.class)
                .hasMessageContaining("stages");
    }

    /** Two threads may create the same ring at the same time. */
    @Test
    default void twoMakeTheSameRing() {
        RingSpec spec = RingSpec.named("both").graph(stage("main"));
        CompletableFuture<Ring> other =
                CompletableFuture.supplyAsync(() -> slipring().create(spec));
        slipring().create(spec).push("a");
        other.join().push("b");
        assertThat(takeAll(slipring().ring("both").stage())).hasSize(2);
    }

    /**
     * There is no ring of a name that rings may not have, however a database would compare that
     * name.
     */
    @Test
    default void ofANameThatIsNotAllowedThereIsNoRing() {
        ring("there");
        for (String name : List.of("", "there ", "'", "größe", "\n", "\0", "a".repeat(100_000))) {
            assertThat(slipring().has(name)).isFalse();
        }
        assertThatThrownBy(() -> slipring().has(null)).hasMessage("name");
    }

    /** An error about a ring or stage that does not exist also names those that do. */
    @Test
    default void whatIsNotThereIsSaid() {
        Ring ring = ring("there");
        assertThatThrownBy(() -> slipring().ring("elsewhere"))
                .isInstanceOf(NoSuchRing.class)
                .hasMessageContaining("elsewhere")
                .hasMessageContaining("there");
        assertThatThrownBy(() -> ring.stage("second"))
                .isInstanceOf(NoSuchStage.class)
                .hasMessageContaining("second")
                .hasMessageContaining("main");
        assertThatThrownBy(() -> ring.stage().work(1, null)).hasMessageContaining("handler");
        Ring two = ring("two", FanOut.to(stage("x")).and(stage("y")));
        assertThatThrownBy(two::stage).hasMessageContaining("x, y");
    }

    /**
     * A claim can be closed after its stage was removed or its ring dropped: it has nothing to give
     * back.
     */
    @Test
    default void aClaimIsClosedWhereItsStageOrRingIsGone() {
        Ring ring = ring("gone", FanOut.to(stage("x")).and(stage("y")));
        push(ring, 2);
        try (Claim ofStage = claim(ring.stage("x"), 1);
                Claim ofRing = claim(ring.stage("y"), 1)) {
            ring.stage("x").remove();
            ofStage.close();
            assertThatThrownBy(ofStage::done).isInstanceOf(NoSuchStage.class);
            slipring().drop("gone");
            assertThat(ofRing.isEmpty()).isFalse();
        }
        assertThat(slipring().rings()).isEmpty();
    }

    /** A claim that waits for messages fails when the store is closed or the ring is dropped. */
    @Test
    default void whoWaitsHearsOfTheEnd() throws Exception {
        for (Consumer<Slipring> end :
                List.<Consumer<Slipring>>of(Slipring::close, open -> open.drop("ends"))) {
            try (Slipring open = realTime()) {
                open.create(RingSpec.named("ends"));
                CountDownLatch looks = new CountDownLatch(1);
                Slipring seen =
                        behind(
                                open,
                                (method, arguments, through) -> {
                                    Object answer = through.call();
                                    if (method.equals("claim")) {
                                        looks.countDown();
                                    }
                                    return answer;
                                });
                Stage stage = seen.ring("ends").stage();
                CompletableFuture<Claim> waits =
                        CompletableFuture.supplyAsync(() -> stage.claim(1, Options.FOREVER));
                assertThat(looks.await(60, TimeUnit.SECONDS)).isTrue();
                end.accept(seen);
                assertThatThrownBy(() -> waits.get(20, TimeUnit.SECONDS))
                        .hasCauseInstanceOf(SlipringException.class);
            }
        }
    }

    /**
     * A program that declares its ring at each start gets the ring as others have changed it since.
     */
    @Test
    default void aRingIsTakenAsItIs() {
        RingSpec spec = RingSpec.named("taken").graph(stage("main"));
        Ring ring = slipring().createIfMissing(spec);
        ring.addStage(stage("more"), Set.of("main"), Start.NEWEST);
        ring.resize(5, 500);
        assertThatThrownBy(() -> slipring().create(spec)).isInstanceOf(ShapeConflict.class);
        RingSpec found = slipring().createIfMissing(spec).spec();
        assertThat(found.stages().names()).containsExactlyInAnyOrder("main", "more");
        assertThat(found.messages()).isEqualTo(5);
    }

    /** Whatever a closed store is asked for, the error says that it is closed. */
    @Test
    default void whatIsClosedSaysSo() {
        Slipring closed = bed().open();
        Ring ring = closed.create(RingSpec.named("open"));
        Stage stage = ring.stage();
        closed.close();
        for (ThrowingCallable call :
                List.<ThrowingCallable>of(
                        closed::rings,
                        closed::schema,
                        ring::info,
                        ring::check,
                        ring::purge,
                        stage::pause,
                        () -> ring.push("x"),
                        () -> stage.claim(1, Duration.ZERO),
                        () -> stage.deadLetters(1))) {
            assertThatThrownBy(call).isInstanceOf(StoreFailed.class).hasMessageContaining("closed");
        }
        closed.close();
    }

    /** A dropped ring is gone, a new one of its name is empty. */
    @Test
    default void aDroppedRingIsGone() {
        Ring ring = ring("gone");
        push(ring, 3);
        Claim claim = claim(ring.stage(), 1);
        slipring().drop("gone");
        assertThat(slipring().rings()).doesNotContain("gone");
        Ring again = ring("gone");
        assertThat(again.info().pushed()).isZero();
        push(again, 1);
        Claim young = claim(again.stage(), 1);
        assertThatThrownBy(claim::done).isInstanceOf(Fenced.class);
        assertThatThrownBy(ring::info).isInstanceOf(NoSuchRing.class);
        assertThatThrownBy(ring::purge).isInstanceOf(NoSuchRing.class);
        assertThatThrownBy(() -> ring.push("old")).isInstanceOf(NoSuchRing.class);
        assertThatThrownBy(claim::giveBack).isInstanceOf(Fenced.class);
        young.done();
        assertThat(again.info().pushed()).isEqualTo(1);
    }

    /** Purging removes all messages and fences all claims. */
    @Test
    default void purgingRemovesAllMessages() {
        Ring ring = ring("purge", stage("main").tries(1));
        push(ring, 9);
        Claim claim = claim(ring.stage(), 3);
        claim.fail(claim.deliveries().get(0), "no");
        assertThat(ring.purge()).isEqualTo(8);
        assertThatThrownBy(claim::done).isInstanceOf(Fenced.class);
        assertThat(ring.stage().deadLetters(5)).isEmpty();
        assertThat(claim(ring.stage(), 1).isEmpty()).isTrue();
        push(ring, 2);
        assertThat(takeAll(ring.stage())).containsExactly("0", "1");
    }

    /** A new stage begins at the oldest message held, at the newest, or at a time. */
    @Test
    default void aNewStageBeginsWhereItIsTold() {
        Ring ring = ring("join");
        push(ring, 2);
        bed().pass(slipring(), Duration.ofSeconds(2));
        Instant between = storeTime().minusSeconds(1);
        push(ring, 3);
        ring.addStage(stage("all"), Set.of(), Start.OLDEST);
        ring.addStage(stage("late"), Set.of(), Start.at(between));
        ring.addStage(stage("new"), Set.of(), Start.NEWEST);
        ring.addStage(stage("behind"), Set.of("main"), Start.OLDEST);
        assertThat(takeAll(ring.stage("all"))).hasSize(5);
        assertThat(takeAll(ring.stage("late"))).hasSize(3);
        assertThat(takeAll(ring.stage("new"))).isEmpty();
        assertThat(takeAll(ring.stage("behind"))).isEmpty();
        takeAll(ring.stage("main"));
        assertThat(takeAll(ring.stage("behind"))).hasSize(5);
        push(ring, 1);
        assertThat(takeAll(ring.stage("new"))).containsExactly("0");
    }

    /** The store's time, by the message pushed last. */
    private Instant storeTime() {
        Ring clock = ring("clock");
        clock.push("tick");
        Claim claim = claim(clock.stage(), 1);
        claim.done();
        return claim.deliveries().get(0).pushedAt();
    }

    /** A paused stage hands out nothing, finishes what is in hand, and goes on. */
    @Test
    default void aStagePausesAndResumes() {
        Ring ring = ring("pause");
        push(ring, 2);
        Claim claim = claim(ring.stage(), 1);
        ring.stage().pause();
        assertThat(claim(ring.stage(), 1).reason()).contains("paused");
        assertThat(ring.info().stage("main").stalled()).contains("paused");
        assertThatThrownBy(() -> ring.info().stage("other"))
                .isInstanceOf(NoSuchStage.class)
                .hasMessageContaining("main");
        claim.done();
        ring.stage().resume();
        assertThat(takeAll(ring.stage())).containsExactly("1");
    }

    /** A stage may get another lease, tries, back-off and limit while it is at work. */
    @Test
    default void aStageIsRedeclared() {
        Ring ring = ring("settings", stage("main").tries(9));
        push(ring, 4);
        Stage old = ring.stage();
        Claim inHand = claim(old, 1);
        Stage now =
                old.redeclare(
                        old.spec()
                                .lease(Duration.ofMinutes(7))
                                .tries(1)
                                .keep(1)
                                .backoff(Duration.ZERO, Duration.ofSeconds(3)));
        assertThat(ring.stage().spec()).isEqualTo(now.spec());
        assertThat(ring.info().stage("main").inHand()).hasSize(1);
        Claim claim = claim(old, 1);
        assertThat(claim.lease()).isEqualTo(Duration.ofMinutes(7));
        claim.fail(claim.deliveries().get(0), "no");
        claim.done();
        assertThat(old.deadLetters(5)).hasSize(1);
        assertThat(claim(old, 1).reason()).contains("which is its limit");
        inHand.done();
        old.redeclare(now.spec().keep(2));
        assertThat(takeAll(old)).containsExactly("2", "3");
        StageSpec other = stage("main").ordered();
        assertThatThrownBy(() -> old.redeclare(other)).hasMessageContaining("pool");
        assertThatThrownBy(() -> old.redeclare(stage("x"))).hasMessageContaining("become 'x'");
        assertThat(ring.check()).isEmpty();
    }

    /** A rewound stage sees again what the ring holds; the stages that follow it do not. */
    @Test
    default void aStageRewinds() {
        Ring ring = ring("rewind", FanOut.to(stage("a").then(stage("b"))).and(stage("holder")));
        push(ring, 4);
        takeAll(ring.stage("a"));
        takeAll(ring.stage("b"));
        assertThat(ring.stage("a").rewind(Start.OLDEST)).isEqualTo(4);
        assertThat(ring.info().heldMessages()).isEqualTo(4);
        Claim claim = claim(ring.stage("a"), 4);
        assertThat(texts(claim)).containsExactly("0", "1", "2", "3");
        claim.fail(claim.deliveries().get(0), "no");
        claim.done();
        push(ring, 1);
        assertThat(takeAll(ring.stage("b"))).isEmpty();
        retriesComeDue();
        assertThat(takeAll(ring.stage("a"))).hasSize(2);
        assertThat(takeAll(ring.stage("b"))).containsExactly("0");
        takeAll(ring.stage("holder"));
        assertThat(ring.stage("a").rewind(Start.OLDEST)).isZero();
    }

    /** A time before all messages is the oldest one, a time behind all is the newest. */
    @Test
    default void aStageRewindsToAnyTimeThereIs() {
        Ring ring = ring("ages", FanOut.to(stage("a")).and(stage("holder")));
        push(ring, 3);
        takeAll(ring.stage("a"));
        assertThat(ring.stage("a").rewind(Start.at(Instant.MIN))).isEqualTo(3);
        assertThat(takeAll(ring.stage("a"))).hasSize(3);
        assertThat(ring.stage("a").rewind(Start.at(Instant.MAX))).isZero();
        assertThat(takeAll(ring.stage("a"))).isEmpty();
    }

    /** A rewound stage does not see again, on top of its retry, a message that it has set aside. */
    @Test
    default void aRewoundStageKeepsWhatItSetAside() {
        Ring ring = ring("kept", FanOut.to(stage("a").tries(1)).and(stage("holder")));
        push(ring, 3);
        failSome(ring.stage("a"), 3, 1);
        assertThat(ring.stage("a").rewind(Start.OLDEST)).isEqualTo(2);
        assertThat(takeAll(ring.stage("a"))).containsExactly("0", "2");
        ring.stage("a").retryAllDead();
        assertThat(takeAll(ring.stage("a"))).containsExactly("1");
    }

    /**
     * A removed stage frees the gate. The stages that followed it now follow those that it
     * followed, and miss nothing.
     */
    @Test
    default void aStageIsRemoved() {
        Ring ring = ring("leave", stage("a").then(stage("b").tries(1)).then(stage("c")));
        push(ring, 4);
        takeAll(ring.stage("a"));
        failSome(ring.stage("b"), 2, 0);
        assertThat(takeAll(ring.stage("c"))).containsExactly("1");
        assertThat(ring.stage("b").remove()).isEqualTo(1);
        assertThat(ring.spec().stages().after("c")).containsExactly("a");
        assertThat(takeAll(ring.stage("c"))).containsExactlyInAnyOrder("0", "2", "3");
        assertThat(ring.info().heldMessages()).isZero();
    }

    /** The last stage cannot be removed, a name cannot be added twice. */
    @Test
    default void aGraphStaysWhole() {
        Ring ring = ring("whole");
        assertThatThrownBy(() -> ring.stage().remove()).hasMessageContaining("at least one stage");
        assertThatThrownBy(() -> ring.addStage(stage("main"), Set.of(), Start.OLDEST))
                .hasMessageContaining("already");
        assertThatThrownBy(() -> ring.addStage(stage("x"), Set.of("y"), Start.OLDEST))
                .hasMessageContaining("'y'");
        assertThatThrownBy(() -> ring.stage().rewind(Start.NEWEST)).hasMessageContaining("oldest");
    }

    /** Several processes of a new version start at the same time. */
    @Test
    default void aStageIsAddedIfItIsMissing() {
        Ring ring = ring("if-missing", stage("a"));
        assertThat(ring.addStageIfMissing(stage("b"), Set.of("a"), Start.OLDEST).name())
                .isEqualTo("b");
        Ring again = behind((method, arguments, call) -> call.call()).ring(ring.name());
        again.addStageIfMissing(stage("b").tries(9), Set.of(), Start.NEWEST);
        assertThat(ring.spec().stages().after("b")).containsExactly("a");
        assertThatThrownBy(() -> ring.addStageIfMissing(stage("c"), Set.of("x"), Start.NEWEST))
                .hasMessageContaining("'x'");
    }
}
