// SPDX-License-Identifier: Apache-2.0
package dev.slipring.ring;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/**
 * The end of the stream: consumers get what there is, then learn it; producers learn it at once.
 */
@Timeout(30)
class CloseTest {

    @Test
    void consumersGetTheRestAndThenLearnIt() {
        SPSequence a = new SPSequence(8);
        Sequence b = new SCSequence();
        Sequence c = new MCSequence(8);
        a.then(b).then(c).then(a);
        a.done(a.next());
        a.done(a.next());
        a.close();
        assertThat(a.next()).isEqualTo(Sequence.CLOSED);
        assertThat(c.next()).isEqualTo(Sequence.NONE);
        b.done(b.next());
        b.done(b.next());
        assertThat(b.next()).isEqualTo(Sequence.CLOSED);
        assertThat(c.next()).isEqualTo(0);
        assertThat(c.next()).isEqualTo(1);
        assertThat(c.next()).isEqualTo(Sequence.CLOSED);
    }

    @Test
    void anEmptyRingCloses() {
        MPSequence a = new MPSequence(8);
        Sequence b = new SCSequence();
        a.then(b).then(a);
        a.close();
        a.close();
        assertThat(a.next()).isEqualTo(Sequence.CLOSED);
        assertThat(a.current()).isEqualTo(-1);
        assertThat(b.next()).isEqualTo(Sequence.CLOSED);
    }

    @Test
    void whatWasClaimedBeforeTheEndIsStillDelivered() {
        MPSequence a = new MPSequence(8);
        Sequence b = new SCSequence();
        a.then(b).then(a);
        long claimed = a.next(3);
        a.close();
        assertThat(a.next()).isEqualTo(Sequence.CLOSED);
        assertThat(b.next()).isEqualTo(Sequence.NONE);
        a.done(claimed, claimed + 2);
        assertThat(b.next()).isEqualTo(0);
        assertThat(b.available()).isLessThanOrEqualTo(3);
        b.done(2);
        assertThat(b.next()).isEqualTo(Sequence.CLOSED);
    }

    @Test
    void whoeverWaitsLearnsIt() throws Exception {
        for (Supplier<Sequence> kind :
                List.<Supplier<Sequence>>of(SCSequence::new, () -> new MCSequence(2))) {
            MPSequence a = new MPSequence(2);
            Sequence b = kind.get();
            Sequence c = new SCSequence();
            a.then(b).then(c).then(a);
            CompletableFuture<Long> consumer = waiting(b);
            CompletableFuture<Long> last = waiting(c);
            a.close();
            assertThat(consumer.get(10, TimeUnit.SECONDS)).isEqualTo(Sequence.CLOSED);
            assertThat(last.get(10, TimeUnit.SECONDS)).isEqualTo(Sequence.CLOSED);
        }
    }

    @Test
    void aProducerThatWaitsForRoomLearnsOfTheEndAndOfAStop() throws Exception {
        for (boolean stops : new boolean[] {false, true}) {
            MPSequence a = new MPSequence(2);
            Sequence b = new SCSequence();
            a.then(b).then(a);
            long both = a.next(2);
            a.done(both, both + 1);
            CompletableFuture<Long> producer = waiting(a);
            if (stops) {
                a.stop(new IllegalArgumentException("broken"));
                assertThat(b.next()).isEqualTo(Sequence.CLOSED);
                assertThat(b.failure()).hasMessage("broken");
            } else {
                a.close();
                assertThat(b.next()).isZero();
            }
            assertThat(producer.get(10, TimeUnit.SECONDS)).isEqualTo(Sequence.CLOSED);
        }
    }

    @Test
    void aStopReachesWhoHasMoreToDo() {
        SPSequence a = new SPSequence(8);
        Sequence b = new SCSequence();
        a.then(b).then(a);
        a.done(a.next());
        a.done(a.next());
        b.done(b.next());
        b.stop(null);
        assertThat(b.next()).isEqualTo(Sequence.CLOSED);
        assertThat(a.next()).isEqualTo(Sequence.CLOSED);
        assertThat(a.failure()).isNull();
    }

    /** Another of its threads may have looked before, and come to say so afterwards. */
    @Test
    void aSharedSequenceStaysClosed() {
        SPSequence a = new SPSequence(8);
        Sequence b = new MCSequence(8);
        Sequence c = new MCSequence(8);
        FanOut fanOut = FanOut.to(b).and(c);
        a.then(fanOut).then(a);
        a.done(a.next());
        fanOut.remove(b);
        b.raiseLimit(-1, 0);
        assertThat(b.next()).isEqualTo(Sequence.CLOSED);
        assertThat(c.next()).isZero();
        a.done(a.next());
        a.stop(null);
        c.raiseLimit(0, 1);
        assertThat(c.next()).isEqualTo(Sequence.CLOSED);
    }

    /** Closed in one ring, it begins with the next. */
    @Test
    void whatLeftARingBeginsWithAnother() {
        SPSequence a = new SPSequence(8);
        FanOut fanOut = new FanOut();
        a.then(fanOut).then(a);
        a.done(a.next());
        for (Sequence b : List.of(new SCSequence(), new MCSequence(8))) {
            fanOut.and(b);
            a.done(a.next());
            b.done(b.next());
            fanOut.remove(b);
            SPSequence other = new SPSequence(8);
            other.then(b).then(other);
            assertThat(b.next()).isEqualTo(Sequence.NONE);
            other.done(other.next());
            assertThat(b.next()).isZero();
        }
    }

    @Test
    void whoeverHasLeftLearnsItHoweverManyHeAsksFor() throws Exception {
        for (Sequence b : List.of(new SCSequence(), new MCSequence(8))) {
            SPSequence a = new SPSequence(8);
            FanOut fanOut = FanOut.to(b);
            a.then(fanOut).then(a);
            a.done(a.next());
            fanOut.remove(b);
            for (int n : new int[] {1, 2, 8}) {
                assertThat(b.next(n)).isEqualTo(Sequence.CLOSED);
                assertThat(b.waitForNext(n, Long.MAX_VALUE)).isEqualTo(Sequence.CLOSED);
            }
        }
    }

    @Test
    void whoeverHasLeftBeforeItBeganLearnsIt() throws Exception {
        for (Sequence b : List.of(new SCSequence(), new MCSequence(8))) {
            SPSequence a = new SPSequence(8);
            FanOut fanOut = FanOut.to(b).and(new SCSequence());
            a.then(fanOut).then(a);
            fanOut.remove(b);
            assertThat(b.waitForNext()).isEqualTo(Sequence.CLOSED);
            fanOut.and(b);
            a.done(a.next());
            assertThat(b.waitForNext()).isZero();
        }
    }

    private static CompletableFuture<Long> waiting(Sequence sequence) {
        sequence.waiting(Waiting.BLOCK);
        CompletableFuture<Long> got = new CompletableFuture<>();
        Thread thread =
                new Thread(
                        () -> {
                            try {
                                got.complete(sequence.waitForNext());
                            } catch (InterruptedException e) {
                                got.completeExceptionally(e);
                            }
                        });
        thread.setDaemon(true);
        thread.start();
        while (thread.getState() != Thread.State.TIMED_WAITING && !got.isDone()) {
            Thread.onSpinWait();
        }
        return got;
    }
}
