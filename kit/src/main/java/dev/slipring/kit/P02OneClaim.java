// SPDX-License-Identifier: Apache-2.0
package dev.slipring.kit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.slipring.Claim;
import dev.slipring.Delivery;
import dev.slipring.Ring;
import dev.slipring.Slipring;
import dev.slipring.Stage;
import dev.slipring.engine.Capability;
import dev.slipring.graph.RingSpec;

import org.junit.jupiter.api.Test;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;

/** Promise 2: a message is in at most one live claim per stage. */
public interface P02OneClaim extends Promise {

    /** Workers race for everything. */
    @Test
    default void workersRaceForEverything() {
        Ring ring = slipring().create(RingSpec.named("race").lanes(3).graph(stage("main")));
        push(ring, 2_000);
        race(List.of(ring, ring, ring, ring), 2_000);
    }

    /** Workers on stores of their own race for everything. */
    @Test
    default void storesRaceForEverything() {
        needs(Capability.SHARED);
        Ring ring = ring("race");
        push(ring, 1_000);
        Slipring other = bed().open();
        race(List.of(ring, other.ring("race"), ring, other.ring("race")), 1_000);
    }

    private void race(List<Ring> rings, int messages) {
        Map<String, AtomicInteger> seen = new ConcurrentHashMap<>();
        List<CompletableFuture<Void>> workers = new ArrayList<>();
        for (int i = 0; i < rings.size(); i++) {
            Stage stage = rings.get(i).stage("main");
            int max = 3 + 7 * i;
            Runnable worker = () -> takeEach(stage, max, seen);
            workers.add(CompletableFuture.runAsync(worker, task -> new Thread(task).start()));
        }
        workers.forEach(CompletableFuture::join);
        assertThat(seen).hasSize(messages);
        assertThat(seen.values()).allMatch(times -> times.get() == 1);
        assertThat(rings.get(0).info().heldMessages()).as("messages that are not done").isZero();
    }

    private void takeEach(Stage stage, int max, Map<String, AtomicInteger> seen) {
        for (Claim claim = claim(stage, max); !claim.isEmpty(); claim = claim(stage, max)) {
            for (Delivery delivery : claim.deliveries()) {
                seen.computeIfAbsent(delivery.text(), any -> new AtomicInteger()).incrementAndGet();
            }
            claim.done();
        }
    }

    /** What one claim has in hand, the next does not get, even if both are in one slot. */
    @Test
    default void aClaimEndsInsideASlot() {
        Ring ring = ring("inside");
        push(ring, 10);
        Claim first = claim(ring.stage(), 7);
        Claim second = claim(ring.stage(), 7);
        assertThat(texts(first)).containsExactly("0", "1", "2", "3", "4", "5", "6");
        assertThat(texts(second)).containsExactly("7", "8", "9");
        second.done();
        assertThat(ring.info().heldMessages()).isEqualTo(10);
        first.done();
        assertThat(ring.info().heldMessages()).isZero();
        assertThat(ring.info().heldBytes()).isZero();
    }

    /** A claim goes over the ends of slots. */
    @Test
    default void aClaimSpansSlots() {
        Ring ring = ring("span");
        push(ring, 3);
        push(ring, 3);
        push(ring, 3);
        Claim claim = claim(ring.stage(), 8);
        assertThat(texts(claim)).containsExactly("0", "1", "2", "0", "1", "2", "0", "1");
        claim.done();
        assertThat(takeAll(ring.stage())).containsExactly("2");
    }
}
