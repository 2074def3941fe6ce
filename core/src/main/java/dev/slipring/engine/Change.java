// SPDX-License-Identifier: Apache-2.0
package dev.slipring.engine;

import dev.slipring.graph.RingSpec;
import dev.slipring.graph.StageSpec;
import dev.slipring.graph.Start;

import java.util.List;
import java.util.Set;

/** A change of a ring, of its shape, or of what it keeps. */
public sealed interface Change {

    /**
     * Make the ring. If it is there in the same shape nothing changes.
     *
     * @param spec what it is to be
     */
    record Create(RingSpec spec) implements Change {}

    /** Remove the ring with all that it holds. */
    record Drop() implements Change {}

    /** Remove all messages, also those in hand, set aside or dead. */
    record Purge() implements Change {}

    /**
     * Give the ring another capacity. What it holds stays; if that is more it takes no push until
     * it is less.
     *
     * @param messages how many messages at most
     * @param bytes how many bytes at most
     */
    record Resize(long messages, long bytes) implements Change {}

    /**
     * Add a stage.
     *
     * @param stage what it is
     * @param after the stages that it follows
     * @param start where it begins
     */
    record AddStage(StageSpec stage, Set<String> after, Start start) implements Change {}

    /**
     * Give a stage another lease, number of tries, back-off or limit.
     *
     * @param stage what it is to be, in the mode that it has
     */
    record RedeclareStage(StageSpec stage) implements Change {}

    /**
     * Hand out nothing more of a stage, or hand out again.
     *
     * @param stage the stage
     * @param paused whether it is to be paused
     */
    record Pause(String stage, boolean paused) implements Change {}

    /**
     * Begin a new generation of a stage's position: claims in hand are fenced, and it sees again
     * what the ring still holds from there.
     *
     * @param stage the stage
     * @param start where it begins, not after where it is
     */
    record Rewind(String stage, Start start) implements Change {}

    /**
     * Remove a stage with what it has set aside or dead. What followed it follows what it followed.
     *
     * @param stage the stage
     */
    record RemoveStage(String stage) implements Change {}

    /**
     * Hand dead letters to their stage again, with all their attempts.
     *
     * @param stage the stage
     * @param ids which ones ({@code lane-position}); empty for all
     */
    record RetryDead(String stage, List<String> ids) implements Change {
        public RetryDead {
            ids = List.copyOf(ids);
        }
    }

    /**
     * Forget dead letters, for the stages that follow too.
     *
     * @param stage the stage
     * @param ids which ones ({@code lane-position}); empty for all
     */
    record DropDead(String stage, List<String> ids) implements Change {
        public DropDead {
            ids = List.copyOf(ids);
        }
    }
}
