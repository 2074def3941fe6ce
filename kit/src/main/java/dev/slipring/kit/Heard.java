// SPDX-License-Identifier: Apache-2.0
package dev.slipring.kit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.slipring.Claim;
import dev.slipring.Fenced;
import dev.slipring.Listener;
import dev.slipring.Ring;
import dev.slipring.SlipringException;
import dev.slipring.WorkOptions;
import dev.slipring.Workers;

import org.junit.jupiter.api.Test;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Function;

/** What a listener hears, and when. */
public interface Heard extends Promise {

    /**
     * A word is heard before the claim that came with it, and the time that it took is the store's,
     * however long the listener thinks.
     */
    @Test
    default void aWordIsHeardBeforeTheClaimThatCameWithIt() {
        AtomicLong thought = new AtomicLong();
        List<String> heard = new ArrayList<>();
        List<Duration> times = new ArrayList<>();
        Listener listener =
                new Listener() {
                    @Override
                    public void claimed(String ring, String at, int count, int again, Duration it) {
                        heard.add("claimed " + count);
                        times.add(it);
                        if (count > 1) {
                            long start = System.nanoTime();
                            LockSupport.parkNanos(Duration.ofMillis(100).toNanos());
                            thought.set(System.nanoTime() - start);
                        }
                    }

                    @Override
                    public void settled(
                            String ring, String at, int done, int failed, int dead, Duration it) {
                        heard.add("done " + done);
                        times.add(it);
                    }
                };
        Ring ring = heardBy(listener).ring(ring("heard").name());
        push(ring, 3);
        Claim first = claim(ring.stage(), 1);
        times.clear();
        long start = System.nanoTime();
        assertThat(first.doneAndNext(2, Duration.ZERO).deliveries()).hasSize(2);
        Duration store = Duration.ofNanos(System.nanoTime() - start - thought.get());
        assertThat(heard).containsExactly("claimed 1", "done 1", "claimed 2");
        assertThat(times).hasSize(2).allSatisfy(it -> assertThat(it).isLessThanOrEqualTo(store));
    }

    /** What a batch handler throws is heard of also where its claim was lost meanwhile. */
    @Test
    default void aBatchThatThrowsWhenItsClaimWasLostIsHeardOf() {
        List<String> heard = new CopyOnWriteArrayList<>();
        Listener listener =
                new Listener() {
                    @Override
                    public void fenced(String ring, String stage) {
                        heard.add("fenced");
                    }

                    @Override
                    public void storeFailed(String ring, SlipringException error) {
                        heard.add(error.getMessage());
                    }
                };
        Ring ring = heardBy(listener).ring(ring("lost").name());
        assertThat(heardOfLoss(ring, heard, late -> new IllegalStateException("own")))
                .hasSize(2)
                .last()
                .asString()
                .endsWith("threw when its claim was lost: java.lang.IllegalStateException: own");
        assertThat(heardOfLoss(ring, heard, late -> late)).containsExactly("fenced");
    }

    /** What is heard when a handler learns that its claim was lost, and throws something. */
    private static List<String> heardOfLoss(
            Ring ring, List<String> heard, Function<Fenced, RuntimeException> thrown) {
        heard.clear();
        try (Workers workers =
                ring.stage()
                        .workBatches(
                                WorkOptions.threads(1),
                                claim -> {
                                    ring.purge();
                                    try {
                                        claim.done();
                                    } catch (Fenced late) {
                                        throw thrown.apply(late);
                                    }
                                })) {
            ring.push("x");
            Wait.until("it is fenced", () -> heard.contains("fenced"));
        }
        return List.copyOf(heard);
    }
}
