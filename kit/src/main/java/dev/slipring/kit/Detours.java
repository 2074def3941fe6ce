// SPDX-License-Identifier: Apache-2.0
package dev.slipring.kit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.slipring.Claim;
import dev.slipring.Ring;
import dev.slipring.Stage;
import dev.slipring.graph.Start;

import org.junit.jupiter.api.Test;

import java.util.Set;

/**
 * Single-threaded histories off the usual way, whose outcome has to be the same wherever the rules
 * are written: messages that come late in graphs that have grown, claims that are rewound half
 * done, limits that are reached on the way.
 */
public interface Detours extends Promise {

    /** Fails the first message of a stage that has two to claim, and is done with the second. */
    private void failFirst(Stage stage) {
        Claim claim = claim(stage, 2);
        claim.fail(claim.deliveries().get(0), "no");
        claim.done();
    }

    /** A message goes by a stage that began behind it, also while nobody works on that stage. */
    @Test
    default void nobodyHasToWorkOnAStageThatBeganLate() {
        Ring ring = ring("idle", stage("first"));
        push(ring, 2);
        ring.addStage(stage("late"), Set.of("first"), Start.NEWEST);
        ring.addStage(stage("last"), Set.of("late"), Start.OLDEST);
        failFirst(ring.stage("first"));
        assertThat(takeAll(ring.stage("last"))).containsExactly("1");
        ring.stage("late").pause();
        retriesComeDue();
        assertThat(takeAll(ring.stage("first"))).containsExactly("0");
        assertThat(takeAll(ring.stage("last"))).containsExactly("0");
    }
}
