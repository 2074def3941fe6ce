// SPDX-License-Identifier: Apache-2.0
package dev.slipring.kit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.slipring.Claim;
import dev.slipring.Delivery;
import dev.slipring.Ring;
import dev.slipring.graph.FanOut;
import dev.slipring.graph.Graph;

import org.junit.jupiter.api.Test;

import java.util.ArrayList;
import java.util.List;

/** Promise 5: a stage sees a message only after every stage that it follows is done with it. */
public interface P05Follow extends Promise {

    /** A diamond: left and right side by side, last behind both. */
    default Ring diamond(int tries) {
        return ring(
                "diamond",
                FanOut.to(stage("left").tries(tries))
                        .and(stage("right").tries(tries))
                        .then(stage("last")));
    }

    /** A chain: each stage sees only what the one before is done with. */
    @Test
    default void aChainIsFollowed() {
        Ring ring = ring("chain", stage("a").then(stage("b")).then(stage("c")));
        push(ring, 4);
        assertThat(claim(ring.stage("b"), 4).isEmpty()).isTrue();
        Claim a = claim(ring.stage("a"), 2);
        a.done(a.deliveries().get(1));
        assertThat(claim(ring.stage("b"), 4).isEmpty()).isTrue();
        a.done();
        assertThat(takeAll(ring.stage("b"))).containsExactly("0", "1");
        assertThat(takeAll(ring.stage("c"))).containsExactly("0", "1");
        assertThat(ring.info().heldMessages()).isEqualTo(2);
    }

    /** A diamond waits for both arms. */
    @Test
    default void aDiamondWaitsForBothArms() {
        Ring ring = diamond(5);
        push(ring, 3);
        assertThat(takeAll(ring.stage("left"))).hasSize(3);
        assertThat(claim(ring.stage("last"), 3).isEmpty()).isTrue();
        Claim right = claim(ring.stage("right"), 1);
        right.done();
        assertThat(takeAll(ring.stage("last"))).containsExactly("0");
        assertThat(takeAll(ring.stage("right"))).containsExactly("1", "2");
        assertThat(takeAll(ring.stage("last"))).containsExactly("1", "2");
    }

    /**
     * What one arm set aside reaches the join when its retry is done, and nothing else waits for
     * it.
     */
    @Test
    default void whatIsSetAsideReachesTheJoinLater() {
        Ring ring = diamond(5);
        push(ring, 3);
        failSome(ring.stage("left"), 3, 1);
        takeAll(ring.stage("right"));
        assertThat(takeAll(ring.stage("last"))).containsExactly("0", "2");
        assertThat(ring.info().heldMessages()).isZero();
        retriesComeDue();
        assertThat(takeAll(ring.stage("left"))).containsExactly("1");
        assertThat(takeAll(ring.stage("last"))).containsExactly("1");
        assertThat(takeAll(ring.stage("last"))).isEmpty();
    }

    /** Pushes two messages, of which both arms fail the first, and the join gets the other. */
    private void bothArmsFail(Ring ring) {
        push(ring, 2);
        for (String arm : List.of("left", "right")) {
            failSome(ring.stage(arm), 2, 0);
        }
        assertThat(takeAll(ring.stage("last"))).containsExactly("1");
    }

    /** What both arms set aside reaches the join once, after the later of the two retries. */
    @Test
    default void whatBothArmsSetAsideComesOnce() {
        Ring ring = diamond(5);
        bothArmsFail(ring);
        retriesComeDue();
        assertThat(takeAll(ring.stage("left"))).containsExactly("0");
        assertThat(takeAll(ring.stage("last"))).isEmpty();
        assertThat(takeAll(ring.stage("right"))).containsExactly("0");
        assertThat(takeAll(ring.stage("last"))).containsExactly("0");
    }

    /**
     * If a retry is done before the join has come to its position, the join sees the message on its
     * ordinary way.
     */
    @Test
    default void aRetryThatIsDoneEarlyComesOnce() {
        Ring ring = diamond(5);
        push(ring, 2);
        failSome(ring.stage("left"), 2, 0);
        retriesComeDue();
        assertThat(takeAll(ring.stage("left"))).containsExactly("0");
        takeAll(ring.stage("right"));
        assertThat(takeAll(ring.stage("last"))).containsExactly("0", "1");
    }

    /** A dead message does not reach the stages that follow, until it is retried and done. */
    @Test
    default void theDeadDoNotReachWhoFollows() {
        Ring ring = diamond(1);
        push(ring, 2);
        failSome(ring.stage("left"), 2, 0);
        takeAll(ring.stage("right"));
        assertThat(takeAll(ring.stage("last"))).containsExactly("1");
        ring.stage("left").retryAllDead();
        assertThat(takeAll(ring.stage("left"))).containsExactly("0");
        assertThat(takeAll(ring.stage("last"))).containsExactly("0");
    }

    /**
     * A dropped message never reaches the stages that follow, whether they had passed it or not.
     */
    @Test
    default void theDroppedNeverReachWhoFollows() {
        Ring ring = diamond(1);
        push(ring, 4);
        failSome(ring.stage("left"), 4, 0, 2);
        claim(ring.stage("right"), 1).done();
        assertThat(takeAll(ring.stage("last"))).isEmpty();
        assertThat(ring.stage("left").dropAllDead()).isEqualTo(2);
        takeAll(ring.stage("right"));
        assertThat(takeAll(ring.stage("last"))).containsExactly("1", "3");
        assertThat(ring.info().heldMessages()).isZero();
    }

    /**
     * What one arm dropped does not reach the join by way of the other arm, which is done with it
     * later, however far the arms have gone on before the join looks.
     */
    @Test
    default void whatOneArmDroppedIsKeptFromTheJoin() {
        Ring ring = diamond(1);
        bothArmsFail(ring);
        assertThat(ring.stage("right").dropAllDead()).isEqualTo(1);
        ring.stage("left").retryAllDead();
        assertThat(takeAll(ring.stage("left"))).containsExactly("0");
        ring.push("2");
        assertThat(takeAll(ring.stage("right"))).containsExactly("2");
        assertThat(takeAll(ring.stage("left"))).containsExactly("2");
        assertThat(takeAll(ring.stage("last"))).containsExactly("2");
        assertThat(ring.info().heldMessages()).isZero();
    }

    /**
     * A message set aside by an early stage is kept from all stages below it, and comes to each in
     * turn.
     */
    @Test
    default void whatIsSetAsideIsKeptFromAllBelow() {
        Graph graph =
                stage("a")
                        .then(FanOut.to(stage("b")).and(stage("c").then(stage("d"))))
                        .then(stage("e"));
        Ring ring = ring("deep", graph);
        push(ring, 3);
        failSome(ring.stage("a"), 3, 1);
        for (String below : List.of("b", "c", "d", "e")) {
            assertThat(takeAll(ring.stage(below))).as(below).containsExactly("0", "2");
        }
        retriesComeDue();
        for (String in : List.of("a", "b", "c", "d")) {
            assertThat(takeAll(ring.stage("e"))).as("e before " + in).isEmpty();
            assertThat(takeAll(ring.stage(in))).as(in).containsExactly("1");
        }
        assertThat(takeAll(ring.stage("e"))).containsExactly("1");
    }

    /** A diamond with many failures in one arm: the join sees everything once. */
    @Test
    default void aDiamondWithFailuresInOneArm() {
        Ring ring = diamond(100);
        push(ring, 300);
        List<String> joined = new ArrayList<>();
        for (int round = 0; round < 1_000 && joined.size() < 300; round++) {
            Claim left = claim(ring.stage("left"), 7);
            for (Delivery delivery : left.deliveries()) {
                if (Integer.parseInt(delivery.text()) % 5 == 0 && delivery.attempt() < 3) {
                    left.fail(delivery, "no");
                }
            }
            left.done();
            claim(ring.stage("right"), 11).done();
            joined.addAll(takeAll(ring.stage("last")));
            if (left.isEmpty()) {
                retriesComeDue();
            }
        }
        assertThat(joined).hasSize(300).doesNotHaveDuplicates();
    }
}
