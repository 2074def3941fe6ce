// SPDX-License-Identifier: Apache-2.0
package dev.slipring.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.slipring.OnVirtualThreads;
import dev.slipring.StoreUnreachable;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;

/** An interrupt spoils no call of a server, and virtual threads make no more than it can bear. */
@Timeout(60)
@Tag("virtual-threads")
class UninterruptedTest {

    private final Uninterrupted calls = new Uninterrupted(TimeUnit.MILLISECONDS.toNanos(300));
    private final Semaphore begun = new Semaphore(0);
    private final Semaphore goOn = new Semaphore(0);

    @AfterEach
    void close() {
        goOn.release(1_000_000);
        calls.close();
    }

    private <T> CompletableFuture<T> virtually(Supplier<T> work) {
        CompletableFuture<T> outcome = new CompletableFuture<>();
        OnVirtualThreads.start(
                () -> {
                    try {
                        outcome.complete(work.get());
                    } catch (Throwable e) {
                        outcome.completeExceptionally(e);
                    }
                });
        return outcome;
    }

    private Thread stay() {
        begun.release();
        goOn.acquireUninterruptibly();
        return Thread.currentThread();
    }

    @Test
    void anInterruptThatCameBeforeIsNotSeenAndNotLost() {
        Thread.currentThread().interrupt();
        assertThat(calls.call(() -> Thread.currentThread().isInterrupted())).isFalse();
        assertThat(Thread.interrupted()).isTrue();
    }

    /** It would close the socket of a virtual thread that does not make its call elsewhere. */
    @Test
    void anInterruptOfAVirtualThreadDoesNotReachItsCall() {
        CompletableFuture<Thread> who = new CompletableFuture<>();
        CompletableFuture<Boolean> kept =
                virtually(
                        () -> {
                            who.complete(Thread.currentThread());
                            Thread caller = calls.call(this::stay);
                            assertThat(caller).isNotSameAs(Thread.currentThread());
                            assertThat(caller.isInterrupted()).isFalse();
                            return Thread.interrupted();
                        });
        begun.acquireUninterruptibly();
        who.join().interrupt();
        goOn.release();
        assertThat(kept.join()).isTrue();
    }

    @Test
    void whatACallThrowsIsThrown() {
        for (Throwable thrown : new Throwable[] {new IllegalStateException("x"), new Error("y")}) {
            CompletableFuture<Object> outcome =
                    virtually(
                            () ->
                                    calls.call(
                                            () -> {
                                                if (thrown instanceof Error error) {
                                                    throw error;
                                                }
                                                throw (RuntimeException) thrown;
                                            }));
            assertThatThrownBy(outcome::join)
                    .isInstanceOf(CompletionException.class)
                    .cause()
                    .isSameAs(thrown);
        }
    }

    /** The others come to it as long as some get on, and are refused when none does. */
    @Test
    void soManyAtATimeAndNoneStandsStillForEver() {
        AtomicInteger made = new AtomicInteger();
        for (int i = 0; i < Uninterrupted.MOST; i++) {
            virtually(() -> calls.call(this::stay));
        }
        begun.acquireUninterruptibly(Uninterrupted.MOST);
        CompletableFuture<Integer> refused = virtually(() -> calls.call(made::incrementAndGet));
        assertThatThrownBy(refused::join)
                .hasCauseInstanceOf(StoreUnreachable.class)
                .hasMessageContaining("stand still");
        CompletableFuture<Integer> comes = virtually(() -> calls.call(made::incrementAndGet));
        goOn.release();
        assertThat(comes.join()).isEqualTo(1);
    }

    /** Who comes too late learns it from what he calls. */
    @Test
    void whatComesBehindTheCloseIsCalledAllTheSame() {
        calls.close();
        assertThat(virtually(() -> calls.call(() -> "closed")).join()).isEqualTo("closed");
    }
}
