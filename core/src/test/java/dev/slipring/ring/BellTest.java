// SPDX-License-Identifier: Apache-2.0
package dev.slipring.ring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
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
        // So long that it stands before its time is over, on a busy machine too.
        assertThat(b.waitForNext(1, 50_000_000)).isEqualTo(Sequence.NONE);
        assertThat(other.isRung()).isFalse();
        Thread.currentThread().interrupt();
        assertThatThrownBy(b::waitForNext).isInstanceOf(InterruptedException.class);
        assertThat(other.isRung()).isFalse();
        a.done(a.next());
        assertThat(other.isRung()).isTrue();
    }

    /** One wants two slots, another one; of the two that were free somebody else claimed one. */
    @Test
    void whoWantsMoreThanIsLeftLeavesItToOthers() throws Exception {
        boolean told = false;
        while (!told) {
            told = wantsMoreThanIsLeft();
        }
    }

    /** Returns whether the one that was woken came again only when nobody rang any more. */
    private static boolean wantsMoreThanIsLeft() throws Exception {
        MPSequence a = new MPSequence(4);
        Sequence b = new SCSequence();
        a.then(b).then(a);
        a.waiting(Waiting.BLOCK);
        long first = a.next(4);
        a.done(first, first + 3);
        Waiter wantsOne = stands(b.bell, a, 0);
        Thread wantsTwo = new Thread(() -> waitsForTwo(a));
        wantsTwo.setDaemon(true);
        wantsTwo.start();
        long[] came = {System.nanoTime()};
        until(() -> b.bell.waiters.index == 1 && isBeyondItsNaps(b.bell.waiters, came));
        boolean begins = b.bell.begins(Bell.ADVANCED);
        b.done(1);
        long claimed = a.next();
        boolean woken = b.bell.goesRound();
        // Before the one that was woken comes again, which would be an errand too.
        boolean ends = b.bell.ends();
        assertThat(begins && woken).isTrue();
        assertThat(claimed).isEqualTo(4);
        for (boolean quiet = ends; !quiet; quiet = b.bell.ends()) {
            b.bell.goesRound();
        }
        until(wantsOne::isRung);
        a.stop(null);
        wantsTwo.join();
        return ends;
    }

    private static void waitsForTwo(Sequence a) {
        try {
            a.waitForNext(2, Long.MAX_VALUE);
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    /** Whether it has stood at its bell for much longer than a nap. */
    private static boolean isBeyondItsNaps(Waiter waiter, long[] came) {
        long now = System.nanoTime();
        came[0] = waiter.state == Waiter.WAITS ? came[0] : now;
        return now - came[0] > TimeUnit.MILLISECONDS.toNanos(20);
    }

    /** Looks until it is so; for long enough on any machine. */
    private static void until(BooleanSupplier condition) {
        long start = System.nanoTime();
        while (!condition.getAsBoolean()) {
            assertThat(System.nanoTime() - start).isLessThan(TimeUnit.SECONDS.toNanos(20));
            Thread.onSpinWait();
        }
    }

    /** A thread of a pool may live for ever, and the ring must not for that. */
    @Test
    void whoStandsNowhereHoldsNoRing() {
        Sequence a = new SPSequence(8);
        Sequence b = new SCSequence();
        a.then(b).then(a);
        Waiter waiter = Waiter.mine();
        a.bell.await(waiter, b, 0);
        assertThat(waiter.who).isSameAs(b);
        a.done(a.next());
        assertThat(a.bell.leave(waiter)).isTrue();
        assertThat(waiter.who).isNull();
        assertThat(waiter.at).isNull();
        a.bell.await(waiter, b, 1);
        a.bell.forget(waiter);
        assertThat(waiter.who).isNull();
        assertThat(waiter.at).isNull();
    }

    /** Its thread may have come to the bell just when it left, and not have gone yet. */
    @Test
    void whoRingsMeetsOneThatHasNoPlaceAnyMore() {
        Sequence a = new SPSequence(8);
        Sequence b = new MCSequence(8);
        FanOut fanOut = FanOut.to(b);
        a.then(fanOut).then(a);
        a.done(a.next());
        fanOut.remove(b);
        Waiter waiter = stands(a.bell, b, 1);
        // It has a place in no graph that could be used.
        FanOut.to(b);
        a.done(a.next());
        assertThat(waiter.isRung()).isTrue();
        assertThat(a.bell.wakeAt()).isEqualTo(Bell.NOBODY);
    }

    /**
     * Who waits for a stage that leaves is woken before that is out of his way, may look and sleep
     * again, and is woken once more.
     */
    @Test
    void whoSleepsAgainWhileAStageLeavesIsWoken() throws Exception {
        SPSequence a = new SPSequence(8);
        Sequence b = new SCSequence();
        FanOut fanOut = FanOut.to(b);
        a.then(fanOut).then(a);
        a.waiting(Waiting.BLOCK);
        for (int i = 0; i < 8; i++) {
            a.done(a.next());
        }
        CompletableFuture<Long> got = new CompletableFuture<>();
        Thread producer =
                new Thread(
                        () -> {
                            try {
                                got.complete(a.waitForNext());
                            } catch (Throwable e) {
                                got.completeExceptionally(e);
                            }
                        });
        producer.start();
        while (b.bell.wakeAt() == Bell.NOBODY) {
            Thread.onSpinWait();
        }
        synchronized (Barrier.WIRING) {
            Leaving.exit(
                    b,
                    a,
                    () -> {
                        while (b.bell.wakeAt() == Bell.NOBODY
                                || producer.getState() != Thread.State.TIMED_WAITING) {
                            Thread.onSpinWait();
                        }
                        // Its nap is over by then, and it sleeps.
                        LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(100));
                        fanOut.skip(b, a);
                    });
        }
        assertThat(got.get(20, TimeUnit.SECONDS)).isEqualTo(8);
    }
}
