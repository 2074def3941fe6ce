// SPDX-License-Identifier: Apache-2.0
package dev.slipring.kit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.slipring.Claim;
import dev.slipring.Delivery;
import dev.slipring.Message;
import dev.slipring.Ring;
import dev.slipring.Stage;
import dev.slipring.engine.Lanes;
import dev.slipring.graph.RingSpec;
import dev.slipring.graph.StageSpec;

import org.junit.jupiter.api.Test;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;

/**
 * Promise 4: first in, first out in a lane; an ordered stage handles one key's messages one after
 * the other.
 */
public interface P04Order extends Promise {

    /** One producer's messages come in their order. */
    @Test
    default void aProducersOrderIsKept() {
        Ring ring = ring("fifo");
        List<CompletableFuture<Void>> pushes = new ArrayList<>();
        for (int i = 0; i < 3_000; i++) {
            pushes.add(ring.pushAsync(Message.of("" + i)).toCompletableFuture());
        }
        pushes.forEach(CompletableFuture::join);
        assertThat(takeAll(ring.stage())).containsExactlyElementsOf(numbers(3_000));
    }

    /**
     * Those that have waited longest are claimed first, and come in their order, also where they
     * failed in another one.
     */
    @Test
    default void whatComesAgainIsInItsOrder() {
        Ring ring = ring("again");
        push(ring, 4);
        Claim claim = claim(ring.stage(), 4);
        int millis = 0;
        for (int i : List.of(3, 1, 0, 2)) {
            claim.fail(claim.deliveries().get(i), "no", Duration.ofMillis(millis));
            millis += 10;
        }
        retriesComeDue();
        assertThat(texts(claim(ring.stage(), 3))).containsExactly("0", "1", "3");
        assertThat(texts(claim(ring.stage(), 3))).containsExactly("2");
    }

    /** The lane of a key is the same everywhere. */
    @Test
    default void theLaneOfAKeyIsFixed() {
        assertThat(Lanes.of("orders", 8)).isEqualTo(Long.remainderUnsigned(0x12c500edL, 8));
        Ring ring = slipring().create(RingSpec.named("keys").lanes(8).graph(stage("main")));
        for (int i = 0; i < 40; i++) {
            ring.push(Message.of("x").key("key-" + i));
        }
        for (Claim claim = claim(ring.stage(), 100);
                !claim.isEmpty();
                claim = claim(ring.stage(), 100)) {
            for (Delivery delivery : claim.deliveries()) {
                assertThat(delivery.lane()).isEqualTo(Lanes.of(delivery.key(), 8));
            }
            claim.done();
        }
    }

    /** An ordered stage has one claim per lane, and waits for a message that failed. */
    @Test
    default void anOrderedStageWaitsForWhatFailed() {
        Ring ring = ring("ordered", stage("main").ordered());
        push(ring, 6);
        Stage stage = ring.stage();
        Claim claim = claim(stage, 4);
        assertThat(claim(stage, 4).isEmpty()).isTrue();
        claim.done(claim.deliveries().get(0));
        // Long enough for a slow machine to look before it comes due.
        Duration later = Duration.ofSeconds(4);
        claim.fail(claim.deliveries().get(1), "no", later);
        assertThat(claim.left()).isEmpty();
        assertThat(claim(stage, 4).isEmpty()).isTrue();
        bed().pass(slipring(), later.plusMillis(100));
        Claim retry = claim(stage, 4);
        assertThat(texts(retry)).containsExactly("1");
        assertThat(claim(stage, 4).isEmpty()).isTrue();
        retry.done();
        assertThat(takeAll(stage)).containsExactly("2", "3", "4", "5");
    }

    /** What failed in a lane comes again while another lane is in hand. */
    @Test
    default void aRetryInALaneDoesNotWaitForAnotherLane() {
        StageSpec main = stage("main").ordered();
        Ring ring = slipring().create(RingSpec.named("apart").lanes(2).graph(main));
        Claim[] claims = claimsOfTwoLanes(ring);
        for (Claim failing : claims) {
            failing.fail(failing.deliveries().get(0), "no", Duration.ZERO);
            Claim retry = claim(ring.stage(), 1);
            assertThat(texts(retry)).as("retry of lane " + failing.lane()).hasSize(1);
            assertThat(retry.lane()).isEqualTo(failing.lane());
            assertThat(retry.deliveries().get(0).attempt()).isEqualTo(2);
        }
    }

    /** An ordered stage goes on behind a dead message. */
    @Test
    default void anOrderedStageGoesOnBehindTheDead() {
        Ring ring = ring("dead", stage("main").ordered().tries(1));
        push(ring, 3);
        Claim claim = claim(ring.stage(), 3);
        claim.fail(claim.deliveries().get(0), "no");
        assertThat(takeAll(ring.stage())).containsExactly("1", "2");
    }

    /** A word that does not report messages in their order is refused as a whole. */
    @Test
    default void anOrderedClaimIsSettledInOrder() {
        Ring ring = ring("words", stage("main").ordered());
        push(ring, 3);
        Claim claim = claim(ring.stage(), 3);
        assertThatThrownBy(() -> claim.done(claim.deliveries().get(1)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(
                        claim.deliveries().get(0).id()
                                + " comes before "
                                + claim.deliveries().get(1).id());
        claim.done();
        assertThat(ring.info().heldMessages()).isZero();
    }

    /** A word names what stands in front of and behind a message that the stage before keeps. */
    @Test
    default void anOrderedWordPassesOverWhatIsKept() {
        StageSpec b = stage("b").ordered().backoff(Duration.ZERO, Duration.ZERO);
        Ring ring = ring("around", stage("a").then(b));
        push(ring, 5);
        failSome(ring.stage("a"), 5, 1);
        List<String> handled = new ArrayList<>();
        ring.stage("b")
                .drain(
                        delivery -> {
                            handled.add(delivery.text());
                            if (delivery.text().equals("3") && delivery.attempt() == 1) {
                                throw new IllegalStateException("by plan");
                            }
                        });
        assertThat(handled).containsExactly("0", "2", "3", "3", "4");
        retriesComeDue();
        assertThat(takeAll(ring.stage("a"))).containsExactly("1");
        assertThat(takeAll(ring.stage("b"))).containsExactly("1");
    }

    /**
     * A claim may end in front of a message that the stage before keeps: a check calls that well.
     */
    @Test
    default void anOrderedClaimThatEndsAtWhatIsKeptIsWell() {
        Ring ring = ring("end", stage("a").then(stage("b").ordered()));
        push(ring, 3);
        failSome(ring.stage("a"), 3, 2);
        Claim claim = claim(ring.stage("b"), 3);
        assertThat(texts(claim)).containsExactly("0", "1");
        assertThat(ring.check()).isEmpty();
        claim.done(claim.deliveries().get(0));
        assertThat(ring.check()).isEmpty();
        claim.done();
        assertThat(ring.check()).isEmpty();
    }

    /** A dead worker of an ordered stage: what it had comes again, in order. */
    @Test
    default void anOrderedStageTakesOverInOrder() {
        Ring ring = ring("over", briefStage("main").ordered().tries(50));
        push(ring, 20);
        claim(ring.stage(), 10);
        leasesRunOut();
        List<String> all = new ArrayList<>();
        for (Claim claim = claim(ring.stage(), 10);
                !claim.isEmpty();
                claim = claim(ring.stage(), 10)) {
            assertThat(claim(ring.stage(), 10).isEmpty()).isTrue();
            all.addAll(texts(claim));
            claim.done();
        }
        assertThat(all).containsExactlyElementsOf(numbers(20));
    }

    /** Messages with one key are handled one after the other, with failures among them. */
    @Test
    default void aKeysMessagesComeOneAfterTheOther() {
        Ring ring =
                slipring()
                        .create(
                                RingSpec.named("turns")
                                        .lanes(4)
                                        .graph(stage("main").ordered().tries(100)));
        for (int i = 0; i < 60; i++) {
            ring.push(Message.of("" + i).key("k" + i % 6));
        }
        Map<String, List<Integer>> seen = new HashMap<>();
        for (int round = 0; round < 10_000 && count(seen) < 60; round++) {
            Claim claim = claim(ring.stage(), 5);
            if (claim.isEmpty()) {
                retriesComeDue();
            }
            handle(claim, seen);
        }
        assertThat(seen).hasSize(6);
        seen.values().forEach(list -> assertThat(list).hasSize(10).isSorted());
    }

    /** Workers race for an ordered stage in which messages fail and are due again at once. */
    @Test
    default void workersRaceForLanesInWhichMessagesFail() {
        Ring ring =
                slipring().create(RingSpec.named("fail").lanes(4).graph(stage("main").ordered()));
        push(ring, 1_200);
        Map<Integer, List<Integer>> seen = new ConcurrentHashMap<>();
        List<CompletableFuture<Void>> workers = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            int max = 2 + 3 * i;
            Runnable worker = () -> raceAndFail(ring.stage(), max, seen);
            workers.add(CompletableFuture.runAsync(worker, task -> new Thread(task).start()));
        }
        workers.forEach(CompletableFuture::join);
        assertThat(seen.values().stream().mapToInt(List::size).sum()).isEqualTo(1_200);
        seen.values().forEach(numbers -> assertThat(numbers).isSorted());
        assertThat(ring.check()).isEmpty();
    }

    private void raceAndFail(Stage stage, int max, Map<Integer, List<Integer>> seen) {
        while (seen.values().stream().mapToInt(List::size).sum() < 1_200) {
            Claim claim = claim(stage, max);
            for (Delivery delivery : claim.deliveries()) {
                int number = Integer.parseInt(delivery.text());
                if (number % 3 == 0 && delivery.attempt() == 1) {
                    claim.fail(delivery, "not yet", Duration.ZERO);
                    break;
                }
                // No other worker has the lane before the word is said.
                seen.computeIfAbsent(delivery.lane(), any -> new CopyOnWriteArrayList<>())
                        .add(number);
                claim.done(delivery);
            }
        }
    }

    private long count(Map<String, List<Integer>> seen) {
        return seen.values().stream().mapToLong(List::size).sum();
    }

    private void handle(Claim claim, Map<String, List<Integer>> seen) {
        for (Delivery delivery : claim.deliveries()) {
            int number = Integer.parseInt(delivery.text());
            if (number % 7 == 3 && delivery.attempt() < 3) {
                claim.fail(delivery, "not yet");
                return;
            }
            claim.done(delivery);
            seen.computeIfAbsent(delivery.key(), any -> new ArrayList<>()).add(number);
        }
    }
}
