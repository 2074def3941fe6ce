// SPDX-License-Identifier: Apache-2.0
package dev.slipring.kit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.slipring.Claim;
import dev.slipring.Delivery;
import dev.slipring.Fenced;
import dev.slipring.NoSuchRing;
import dev.slipring.NotInHand;
import dev.slipring.Ring;
import dev.slipring.engine.Capability;
import dev.slipring.engine.Change;
import dev.slipring.engine.ClaimRequest;
import dev.slipring.engine.Settlement;
import dev.slipring.engine.Settlement.Failed;
import dev.slipring.engine.Settlement.Rest;
import dev.slipring.engine.Store;
import dev.slipring.engine.Ticket;
import dev.slipring.graph.RingSpec;
import dev.slipring.graph.Start;

import org.junit.jupiter.api.Test;

import java.sql.Connection;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.FutureTask;
import java.util.concurrent.atomic.AtomicReference;

/** Promise 7: the word of a worker that comes too late is refused, whole. */
public interface P07Fence extends Promise {

    /** A word after the end of the lease is refused, even if no other worker has claimed since. */
    @Test
    default void aLateWordIsRefused() {
        Ring ring = ring("late", briefStage("main"));
        push(ring, 2);
        Claim claim = claim(ring.stage(), 2);
        leasesRunOut();
        assertThatThrownBy(claim::done).isInstanceOf(Fenced.class).hasMessageContaining("lease");
        assertThat(takeAll(ring.stage())).containsExactly("0", "1");
    }

    /**
     * If one word has been refused so, a done that asks for the next claim is refused too, and
     * claims nothing.
     */
    @Test
    default void aClaimThatIsKnownToBeLostBringsNoOther() {
        Ring ring = ring("known", briefStage("main"));
        push(ring, 2);
        Claim claim = claim(ring.stage(), 1);
        leasesRunOut();
        assertThatThrownBy(claim::extend).isInstanceOf(Fenced.class);
        assertThatThrownBy(() -> claim.doneAndNext(1, Duration.ZERO)).isInstanceOf(Fenced.class);
        assertThat(takeAll(ring.stage())).containsExactly("0", "1");
    }

    /**
     * While another thread just says the last word on a claim, it is not lost for who asks next.
     */
    @Test
    default void aLastWordOfAnotherThreadIsNoLoss() throws Exception {
        ring("shared");
        AtomicReference<Claim> claim = new AtomicReference<>();
        FutureTask<Claim> next = new FutureTask<>(() -> claim.get().doneAndNext(1, Duration.ZERO));
        InFront.Way way =
                (method, arguments, through) -> {
                    if (method.equals("settle")) {
                        Thread other = new Thread(next);
                        other.start();
                        Wait.until(
                                "the other waits to speak",
                                () -> other.getState() == Thread.State.WAITING);
                    }
                    return through.call();
                };
        Ring ring = behind(way).ring("shared");
        push(ring, 2);
        claim.set(claim(ring.stage(), 1));
        claim.get().done();
        assertThat(texts(next.get())).containsExactly("1");
    }

    /** A word after the claim was handed on is refused, even if the new worker is done already. */
    @Test
    default void aWordAfterTheHandingOnIsRefused() {
        Ring ring = ring("handed", briefStage("main"));
        push(ring, 2);
        Claim old = claim(ring.stage(), 2);
        leasesRunOut();
        Claim young = claim(ring.stage(), 1);
        assertThatThrownBy(() -> old.fail(old.deliveries().get(0), "late"))
                .isInstanceOf(Fenced.class);
        young.done();
        assertThatThrownBy(old::extend).isInstanceOf(Fenced.class);
        assertThat(takeAll(ring.stage())).containsExactly("1");
        assertThat(ring.info().stages().get(0).failed()).isZero();
    }

    /** A position counts within a lane, so another ring has messages at the same positions. */
    @Test
    default void aMessageOfAnotherRingIsNotInHand() {
        Ring ring = ring("mine");
        Ring other = ring("other");
        push(ring, 2);
        push(other, 2);
        Claim claim = claim(ring.stage(), 2);
        Claim foreign = claim(other.stage(), 2);
        for (Delivery delivery : foreign.deliveries()) {
            assertThatThrownBy(() -> claim.done(delivery)).isInstanceOf(NotInHand.class);
        }
        assertThat(claim.left()).hasSize(2);
        claim.done(claim.deliveries().get(1));
        assertThat(claim.left()).containsExactly(claim.deliveries().get(0));
    }

    private Claim claimOfARetry(Ring ring) {
        push(ring, 1);
        Claim first = claim(ring.stage(), 1);
        first.fail(first.deliveries().get(0), "no");
        retriesComeDue();
        return claim(ring.stage(), 1);
    }

    /** A late word about a retry is refused too. */
    @Test
    default void aLateWordAboutARetryIsRefused() {
        Ring ring = ring("retry", briefStage("main"));
        Claim old = claimOfARetry(ring);
        leasesRunOut();
        Claim young = claim(ring.stage(), 1);
        assertThatThrownBy(old::done).isInstanceOf(Fenced.class);
        young.done();
        assertThat(ring.drain(Duration.ZERO)).isTrue();
    }

    /** A late word about a retry is refused too, even if no other worker has claimed it yet. */
    @Test
    default void aLateWordAboutARetryThatNobodyTookIsRefused() {
        Ring ring = ring("untaken", briefStage("main"));
        Claim late = claimOfARetry(ring);
        leasesRunOut();
        assertThatThrownBy(late::done).isInstanceOf(Fenced.class);
        assertThat(takeAll(ring.stage())).containsExactly("0");
    }

    /** A word that is refused loses nothing that reached its lane meanwhile. */
    @Test
    default void aRefusedWordLosesNothingThatArrived() {
        Ring ring = ring("arrived", briefStage("a").then(briefStage("b")));
        push(ring, 2);
        failSome(ring.stage("a"), 2, 0);
        Claim late = claim(ring.stage("b"), 2);
        assertThat(texts(late)).containsExactly("1");
        retriesComeDue();
        Claim retry = claim(ring.stage("a"), 2);
        assertThat(texts(retry)).containsExactly("0");
        retry.done();
        leasesRunOut();
        assertThatThrownBy(late::done).isInstanceOf(Fenced.class);
        assertThat(ring.check()).isEmpty();
        assertThat(takeAll(ring.stage("b"))).containsExactlyInAnyOrder("0", "1");
        assertThat(ring.drain(Duration.ZERO)).isTrue();
    }

    /** Extending keeps a claim in hand. */
    @Test
    default void extendingKeepsAClaim() {
        Ring ring = ring("extend", briefStage("main"));
        push(ring, 1);
        Claim claim = claim(ring.stage(), 1);
        for (int i = 0; i < 8; i++) {
            bed().pass(slipring(), bed().lease(slipring()).dividedBy(6));
            claim.extend();
        }
        assertThat(claim(ring.stage(), 1).isEmpty()).isTrue();
        claim.done();
        assertThat(ring.info().heldMessages()).isZero();
    }

    /** A word of which one part is wrong takes no effect at all. */
    @Test
    default void aWordIsTakenWholeOrNotAtAll() {
        Ring ring = ring("whole");
        push(ring, 3);
        Claim claim = claim(ring.stage(), 3);
        Ticket invented = new Ticket("main", 0, Long.MAX_VALUE, false);
        assertThatThrownBy(() -> settle(invented, List.of(0L))).isInstanceOf(Fenced.class);
        assertThatThrownBy(() -> settle(invented, List.of(1L)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("twice");
        claim.done(claim.deliveries().get(0));
        assertThatThrownBy(() -> claim.done(claim.deliveries().get(0)))
                .isInstanceOf(NotInHand.class)
                .hasMessageContaining(claim.deliveries().get(0).id());
        claim.close();
        assertThat(takeAll(ring.stage())).containsExactly("1", "2");
    }

    /**
     * A word about a message that is settled already is refused, even about the last one of the
     * claim; the claim is not lost by it.
     */
    @Test
    default void whatIsSettledIsNotLost() {
        Ring ring = ring("twice");
        push(ring, 3);
        Claim claim = claim(ring.stage(), 2);
        for (Delivery delivery : claim.deliveries()) {
            claim.done(delivery);
            assertThatThrownBy(() -> claim.done(delivery)).isInstanceOf(NotInHand.class);
            assertThatThrownBy(() -> claim.fail(delivery, "no")).isInstanceOf(NotInHand.class);
        }
        claim.done();
        claim.extend();
        assertThat(texts(claim.doneAndNext(9, Duration.ZERO))).containsExactly("2");
        assertThat(ring.info().stages().get(0).failed()).isZero();
    }

    /** A message of another lane is refused, although one in hand has the same position. */
    @Test
    default void aMessageOfAnotherClaimIsRefused() {
        Ring ring = slipring().create(RingSpec.named("lanes").lanes(2).graph(stage("main")));
        Claim[] claims = claimsOfTwoLanes(ring);
        Claim one = claims[0];
        Delivery stray = claims[1].deliveries().get(0);
        assertThatThrownBy(() -> one.done(stray)).isInstanceOf(NotInHand.class);
        assertThatThrownBy(() -> one.fail(stray, "no"))
                .isInstanceOf(NotInHand.class)
                .hasMessageContaining(stray.id());
        assertThat(one.left()).hasSize(1);
    }

    private void settle(Ticket ticket, List<Long> done) {
        slipring()
                .store()
                .settle(
                        "whole",
                        new Settlement(ticket, done, List.of(new Failed(1, "x", 0)), Rest.KEEP));
    }

    /** A done in a transaction that is still open blocks the handing on until it ends. */
    @Test
    default void anOpenDoneBlocksTheHandingOn() throws Exception {
        needs(Capability.JOIN);
        Ring ring = ring("open", briefStage("main"));
        push(ring, 1);
        Claim claim = claim(ring.stage(), 1);
        try (Connection connection = transaction()) {
            ring.join(connection).done(claim);
            leasesRunOut();
            CompletableFuture<Claim> other =
                    CompletableFuture.supplyAsync(() -> claim(ring.stage(), 1));
            Wait.sleep(Duration.ofMillis(100));
            boolean handedOn = other.isDone() && !other.join().isEmpty();
            assertThat(handedOn).isFalse();
            connection.commit();
            assertThat(other.join().isEmpty()).isTrue();
        }
        assertThat(ring.info().heldMessages()).isZero();
    }

    /**
     * A failure ends an ordered claim for the transaction that reported it too, whatever else the
     * word says.
     */
    @Test
    default void aFailureEndsAnOrderedClaimInATransaction() throws Exception {
        needs(Capability.JOIN);
        Ring ring = ring("ended", stage("main").ordered());
        push(ring, 3);
        Ticket ticket =
                slipring().store().claim("ended", new ClaimRequest("main", 3, "w")).ticket();
        try (Connection connection = transaction()) {
            Store joined = slipring().store().join(connection);
            List<Failed> failed = List.of(new Failed(0, "no", 0));
            joined.settle("ended", new Settlement(ticket, List.of(), failed, Rest.EXTEND));
            Settlement late = new Settlement(ticket, List.of(1L), List.of(), Rest.KEEP);
            assertThatThrownBy(() -> joined.settle("ended", late)).isInstanceOf(Fenced.class);
            connection.commit();
        }
        assertThat(takeAll(ring.stage())).containsExactly("0", "1", "2");
    }

    /** A worker has no longer in hand what it gave back, or what a rewind took back. */
    @Test
    default void whatIsGivenBackIsOutOfTheHand() {
        Ring ring = ring("given");
        push(ring, 2);
        Claim claim = claim(ring.stage(), 2);
        claim.giveBack();
        Claim next = claim(ring.stage(), 2);
        assertThat(next.deliveries()).hasSize(2);
        ring.stage().rewind(Start.OLDEST);
        assertThatThrownBy(next::done).isInstanceOf(Fenced.class);
        assertThat(takeAll(ring.stage())).containsExactly("0", "1");
    }

    /**
     * A ring that was dropped and made anew is another ring, even to a process that has the old one
     * open.
     */
    @Test
    default void aRingMadeAnewDoesNotTakeOldWords() {
        RingSpec spec = RingSpec.named("anew").lanes(1).graph(stage("main"));
        Ring old = slipring().create(spec);
        old.push("old");
        Claim late = claim(old.stage(), 1);
        Store store = slipring().store();
        store.change("anew", new Change.Drop());
        store.change("anew", new Change.Create(spec));
        old.push("new");
        Claim young = claim(old.stage(), 1);
        assertThat(texts(young)).containsExactly("new");
        assertThatThrownBy(late::done).isInstanceOf(Fenced.class);
        assertThat(old.info().stages().get(0).inHand()).hasSize(1);
        young.done();
        assertThat(old.check()).isEmpty();
    }

    /** The new ring may have fewer lanes: an error then says so, and what to do. */
    @Test
    default void aLaneThatIsNotThereAnyMoreIsToldInWords() {
        RingSpec spec = RingSpec.named("fewer").graph(briefStage("main"));
        Ring old = slipring().create(spec.lanes(4));
        old.push(to(3, 4, "old"));
        Claim late = claim(old.stage(), 1);
        Store store = slipring().store();
        store.change("fewer", new Change.Drop());
        store.change("fewer", new Change.Create(spec.lanes(2)));
        assertThatThrownBy(late::extend).isInstanceOf(Fenced.class);
        assertThatThrownBy(late::done).isInstanceOf(Fenced.class);
        Ticket ticket = new Ticket("main", 3, 1, false);
        Settlement word = new Settlement(ticket, List.of(), List.of(), Rest.EXTEND);
        assertThatThrownBy(() -> store.trySettle("fewer", word)).isInstanceOf(Fenced.class);
        assertThatThrownBy(() -> old.push(to(3, 4, "late")))
                .isInstanceOf(NoSuchRing.class)
                .hasMessage(
                        "no lane 3 in a ring of 2; it was dropped and made anew: open it again");
        slipring().ring("fewer").push(to(1, 2, "there"));
        assertThat(takeAll(slipring().ring("fewer").stage())).containsExactly("there");
    }
}
