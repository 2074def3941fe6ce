// SPDX-License-Identifier: Apache-2.0
package dev.slipring.ring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;

/** Who waits is woken by whom he waits for, by the end of his time, or by an interrupt. */
@Timeout(60)
class WaitingTest {

    static Stream<Waiting> family() {
        return Stream.of(Waiting.BUSY_SPIN, Waiting.YIELD, Waiting.PARK, Waiting.BLOCK);
    }

    @ParameterizedTest
    @MethodSource("family")
    void everyEdgeWakes(Waiting how) throws Exception {
        // One slot: each index is handed from thread to thread, and back to the producer.
        SPSequence a = new SPSequence(1);
        Sequence b = new SCSequence();
        Sequence c = new MCSequence(1);
        a.then(b).then(c).then(a);
        int laps = how.parks() ? 300 : 30;
        AtomicReference<Throwable> broken = new AtomicReference<>();
        Thread[] threads = new Thread[2];
        for (Sequence stage : new Sequence[] {a, b, c}) {
            stage.waiting(how);
        }
        threads[0] = new Thread(() -> pass(b, broken));
        threads[1] = new Thread(() -> pass(c, broken));
        for (Thread thread : threads) {
            thread.start();
        }
        for (int i = 0; i < laps; i++) {
            assertThat(a.waitForNext()).isEqualTo(i);
            a.done(i);
        }
        a.close();
        for (Thread thread : threads) {
            thread.join();
        }
        assertThat(broken.get()).isNull();
        assertThat(c.current()).isEqualTo(laps - 1);
    }

    private static void pass(Sequence stage, AtomicReference<Throwable> broken) {
        try {
            long cursor;
            while ((cursor = stage.waitForNext()) >= 0) {
                stage.done(cursor);
            }
        } catch (Throwable e) {
            broken.set(e);
        }
    }

    @ParameterizedTest
    @MethodSource("family")
    void aProducerWaitsNoLongerThanItsLimit(Waiting how) throws Exception {
        Sequence a = new MPSequence(2);
        Sequence b = new SCSequence();
        a.then(b).then(a);
        a.waiting(how);
        a.done(a.next(), a.next());
        long start = System.nanoTime();
        long limit = TimeUnit.MILLISECONDS.toNanos(20);
        assertThat(a.waitForNext(1, limit)).isEqualTo(Sequence.NONE);
        assertThat(System.nanoTime() - start).isGreaterThanOrEqualTo(limit);
        assertThat(a.waitForNext(1, 0)).isEqualTo(Sequence.NONE);
        b.done(b.next());
        assertThat(a.waitForNext(2, limit)).isEqualTo(Sequence.NONE);
        assertThat(a.waitForNext(1, 0)).isEqualTo(2);
    }

    @ParameterizedTest
    @MethodSource("family")
    void anInterruptEndsTheWaiting(Waiting how) {
        Sequence a = new SPSequence(2);
        Sequence b = new SCSequence();
        a.then(b).then(a);
        b.waiting(how);
        Thread.currentThread().interrupt();
        assertThatThrownBy(b::waitForNext).isInstanceOf(InterruptedException.class);
        assertThat(Thread.interrupted()).isFalse();
    }

    @Test
    void whereThreadsTakeTurnsOneIsEnough() throws Exception {
        SPSequence producer = new SPSequence(1024);
        Barrier last = producer;
        for (int i = 0; i < Runtime.getRuntime().availableProcessors(); i++) {
            last = last.then(new SCSequence());
        }
        Sequence stage = last.then(new SCSequence());
        stage.then(producer);
        assertThat(producer.circuit().isCrowded()).isTrue();
        Sequence first = (Sequence) producer.followers().get(0);
        producer.done(producer.next());
        // It has learnt to expect more, and would let others run for it until the test is over.
        first.slack = 8;
        first.waiting(new Waiting(0, Integer.MAX_VALUE, true));
        assertThat(first.waitForNext()).isZero();
        assertThat(first.slack).isEqualTo(4);
    }
}
