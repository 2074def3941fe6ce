// SPDX-License-Identifier: Apache-2.0
package dev.slipring;

import dev.slipring.graph.NoSuchStage;
import dev.slipring.graph.Shape;

import java.time.Duration;
import java.util.List;
import java.util.stream.Collectors;

/**
 * How a ring stands.
 *
 * @param shape what it is
 * @param pushed how many messages were ever pushed
 * @param heldMessages how many messages it holds: those that a stage has yet to do
 * @param heldBytes how many bytes its slots hold
 * @param lanes how each lane stands
 * @param stages how each stage stands, in the order of the declaration
 * @param gate the stages that hold the gate of a lane, those furthest behind first; empty if none
 *     is behind
 * @param storeBytes how large the whole store is, in bytes; -1 if it cannot say
 * @param retries how often the open store that was asked ran a transaction of its own again, for
 *     whatever ring, because the server asked for it
 * @param broken what is wrong with the ring, in words; empty if nothing is or nobody asked
 */
public record Survey(
        Shape shape,
        long pushed,
        long heldMessages,
        long heldBytes,
        List<LaneSurvey> lanes,
        List<StageSurvey> stages,
        List<String> gate,
        long storeBytes,
        long retries,
        List<String> broken) {

    public Survey {
        lanes = List.copyOf(lanes);
        stages = List.copyOf(stages);
        gate = List.copyOf(gate);
        broken = List.copyOf(broken);
    }

    /**
     * How the stage of a name stands.
     *
     * @throws NoSuchStage if there is none
     */
    public StageSurvey stage(String name) {
        String known = shape.spec().stages().get(name).name();
        return stages.stream()
                .filter(stage -> stage.name().equals(known))
                .findFirst()
                .orElseThrow();
    }

    /**
     * What can be done now and is not done, in words for people, a line for each stage; empty if
     * nothing. This is what {@link Ring#drain} waits for.
     */
    public List<String> undone() {
        return stages.stream()
                .filter(stage -> !Drain.isDrained(stage))
                .map(StageSurvey::undone)
                .toList();
    }

    /**
     * How a lane stands.
     *
     * @param lane its number
     * @param head the position of the next message
     * @param gate the position below which every stage is done
     */
    public record LaneSurvey(int lane, long head, long gate) {}

    /**
     * How a stage stands.
     *
     * @param name the stage
     * @param claimed the sum over the lanes of how far it has claimed
     * @param done the sum over the lanes of how far it is done
     * @param lag how many messages it has yet to do, of those pushed; what is done behind one that
     *     is not done still counts; what is set aside, here or in a stage before, counts until the
     *     stage has passed it
     * @param outOfReach how many of those it cannot come to now: they are behind a message whose
     *     retry an ordered stage waits for, or behind what a stage that it follows has yet to do
     * @param lagTime how long ago the oldest of those was pushed
     * @param inHand the claims in hand; what was given back is in nobody's
     * @param aside how many messages wait for a retry, or have it in hand
     * @param nextRetry when the next of those is due, from now; one in hand, when its lease runs
     *     out; at once also if one is on its way that is not counted yet; null if none waits
     * @param dead how many messages are dead
     * @param redelivered how often messages were handed out for a second or later attempt, ever
     * @param failed how many failures there were, ever; a lease that ran out at the last attempt is
     *     one
     * @param stalled why it hands out nothing new, in words, also while there is nothing to hand
     *     out; null if nothing holds it up
     */
    public record StageSurvey(
            String name,
            long claimed,
            long done,
            long lag,
            long outOfReach,
            Duration lagTime,
            List<InHand> inHand,
            long aside,
            Duration nextRetry,
            long dead,
            long redelivered,
            long failed,
            String stalled) {

        public StageSurvey {
            inHand = inHand.stream().filter(hand -> !hand.wentBack()).toList();
        }

        private String undone() {
            long held = inHand.stream().mapToLong(InHand::messages).sum();
            String workers =
                    inHand.stream()
                            .map(InHand::worker)
                            .distinct()
                            .collect(Collectors.joining(", "));
            return "stage '"
                    + name
                    + "': "
                    + (lag - outOfReach)
                    + " to do, "
                    + held
                    + " in hand"
                    + (workers.isEmpty() ? "" : " of " + workers)
                    + ", "
                    + aside
                    + " set aside"
                    + (stalled == null ? "" : "; " + stalled);
        }
    }

    /**
     * A claim in hand.
     *
     * @param worker who has it
     * @param lane its lane
     * @param messages how many messages of it are not done
     * @param leaseLeft how long its lease still lasts; negative if it ran out
     */
    public record InHand(String worker, int lane, long messages, Duration leaseLeft) {

        /** Whether it is nobody's: its worker gave it back, and it waits to be handed out. */
        private boolean wentBack() {
            return worker.isEmpty() && leaseLeft.isNegative();
        }
    }
}
