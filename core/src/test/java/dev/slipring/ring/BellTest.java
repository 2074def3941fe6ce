// SPDX-License-Identifier: Apache-2.0
package dev.slipring.ring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import java.util.stream.Stream;

/** Who rings has those in hand who wait, and puts some back: step by step what others do then. */
@Timeout(60)
class BellTest {

    /** Somebody who waits at a bell for others to be so far; the test takes his steps. */
    private static Waiter stands(Bell bell, Sequence who, long index) {
        Waiter waiter = CompletableFuture.supplyAsync(Waiter::mine, BellTest::inThread).join();
        bell.await(waiter, who, index);
        return waiter;
    }

    private static void inThread(Runnable task) {
        new Thread(task).start();
    }

    private static Stream<Supplier<Sequence>> producers() {
        return Stream.of(() -> new SPSequence(8), () -> new MPSequence(8));
    }

    @Test
    void whoAdvancesWhileAnotherRingsHasHimLookAgain() {
        producers().forEach(kind -> advancesWhileAnotherRings(kind.get()));
    }

    private static void advancesWhileAnotherRings(Sequence a) {
        Sequence b = new SCSequence();
        a.then(b).then(a);
        Bell bell = a.bell;
        a.done(a.next());
        Waiter waiter = stands(bell, b, 1);
        assertThat(bell.begins(Bell.ADVANCED)).isTrue();
        assertThat(bell.goesRound()).isFalse();
        a.done(a.next());
        assertThat(waiter.isRung()).isFalse();
        assertThat(bell.ends()).isFalse();
        assertThat(bell.goesRound()).isTrue();
        assertThat(bell.ends()).isTrue();
        assertThat(waiter.isRung()).isTrue();
        assertThat(bell.wakeAt()).isEqualTo(Bell.NOBODY);
    }

    /** It has nobody in hand, and does not say that nobody waits. */
    @Test
    void whoRingsBesideAnotherLeavesItToHim() {
        producers().forEach(kind -> ringsBesideAnother(kind.get()));
    }

    private static void ringsBesideAnother(Sequence a) {
        Sequence b = new SCSequence();
        a.then(b).then(a);
        Bell bell = a.bell;
        Waiter waiter = stands(bell, b, 1);
        assertThat(bell.begins(Bell.ADVANCED)).isTrue();
        bell.ring();
        assertThat(bell.wakeAt()).isEqualTo(Bell.RINGING);
        bell.ringAgain();
        assertThat(bell.wakeAt()).isEqualTo(Bell.RINGING);
        assertThat(bell.goesRound()).isFalse();
        // Whom the ringer has in hand, or puts back, must hear of the end too.
        bell.ringAll();
        assertThat(bell.ends()).isFalse();
        assertThat(bell.goesRound()).isTrue();
        assertThat(bell.ends()).isTrue();
        assertThat(waiter.isRung()).isTrue();
    }

    @Test
    void whoComesWhileAnotherRingsIsCounted() {
        Sequence a = new SPSequence(8);
        Sequence b = new SCSequence();
        a.then(b).then(a);
        Bell bell = a.bell;
        Waiter late = stands(bell, b, 5);
        assertThat(bell.begins(Bell.ADVANCED)).isTrue();
        assertThat(bell.goesRound()).isFalse();
        Waiter soon = stands(bell, b, 1);
        assertThat(bell.ends()).isFalse();
        assertThat(bell.goesRound()).isFalse();
        assertThat(bell.ends()).isTrue();
        assertThat(bell.wakeAt()).isEqualTo(1);
        a.done(a.next());
        a.done(a.next());
        assertThat(soon.isRung()).isTrue();
        assertThat(late.isRung()).isFalse();
        assertThat(bell.wakeAt()).isEqualTo(5);
    }

    /** Who comes anew has to look again soon, whoever rang for him before. */
    @Test
    void whoWasRungForWhileHeWasAwayComesAnew() {
        Sequence a = new SPSequence(8);
        Sequence b = new SCSequence();
        a.then(b).then(a);
        Bell bell = a.bell;
        Waiter waiter = Waiter.mine();
        assertThat(bell.await(waiter, b, 1)).isTrue();
        assertThat(bell.leave(waiter)).isFalse();
        assertThat(bell.await(waiter, b, 0)).isFalse();
        assertThat(bell.leave(waiter)).isFalse();
        a.done(a.next());
        assertThat(bell.await(waiter, b, 1)).isTrue();
        bell.forget(waiter);
    }

    /** To take him out, all the others would have to come again. */
    @Test
    void whoseTimeIsOverWakesNobody() throws Exception {
        Sequence a = new SPSequence(8);
        Sequence b = new MCSequence(8);
        a.then(b).then(a);
        b.waiting(Waiting.BLOCK);
        Waiter other = stands(a.bell, b, 0);
        assertThat(b.waitForNext(1, 1_000_000)).isEqualTo(Sequence.NONE);
        assertThat(other.isRung()).isFalse();
        Thread.currentThread().interrupt();
        assertThatThrownBy(b::waitForNext).isInstanceOf(InterruptedException.class);
        assertThat(other.isRung()).isFalse();
        a.done(a.next());
        assertThat(other.isRung()).isTrue();
    }
}
