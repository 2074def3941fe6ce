// SPDX-License-Identifier: Apache-2.0
package dev.slipring.ledger;

import dev.slipring.RingBroken;
import dev.slipring.graph.Shape;

import java.util.List;

/**
 * A stage in a lane: its sequences and counters.
 *
 * @param stage the stage
 * @param lane the lane
 * @param start where the stage began; what stood before is not its affair
 * @param claimed how far it has claimed
 * @param done below this everything is done, set aside or dead
 * @param high the furthest that done has ever been; what the stages that follow go by, so that they
 *     do not rewind with it
 * @param epoch the epoch of its last claim
 * @param waiting how many messages are set aside
 * @param dead how many messages are dead
 * @param dropped how many dropped messages still keep a stage that follows from their position
 * @param keptBytes how many bytes the messages set aside or dead have
 * @param redelivered how many messages were handed out again, ever
 * @param failed how many failures there were, ever
 */
public record Strand(
        String stage,
        int lane,
        long start,
        long claimed,
        long done,
        long high,
        long epoch,
        long waiting,
        long dead,
        long dropped,
        long keptBytes,
        long redelivered,
        long failed) {

    /** A stage that begins at a position. */
    static Strand at(String stage, int lane, long position, long epoch) {
        return new Strand(
                stage, lane, position, position, position, position, epoch, 0, 0, 0, 0, 0, 0);
    }

    /** Which of all lanes of a stage is looked at first, so that each has its turn. */
    static int turn(Shape shape, String stage, List<Strand> strands) {
        if (strands.size() < shape.spec().lanes()) {
            throw lost(shape, stage);
        }
        return Math.floorMod(strands.stream().mapToLong(Strand::epoch).sum(), strands.size());
    }

    static RingBroken lost(Shape shape, String stage) {
        return new RingBroken(
                shape.spec().name(),
                "it is lost where stage '" + stage + "' stands; run 'slipring check'");
    }

    /** The same with further claims. */
    public Strand claimed(long newClaimed, long newEpoch, long moreRedelivered) {
        return standing(start, newClaimed, done, high, newEpoch)
                .counting(waiting, dead, dropped, keptBytes, redelivered + moreRedelivered, failed);
    }

    /** The same, done up to a position. */
    public Strand doneTo(long newDone) {
        return standing(start, claimed, newDone, Math.max(high, newDone), epoch);
    }

    /** The same with messages more or fewer that are set aside, dead or dropped. */
    Strand kept(long moreWaiting, long moreDead, long moreDropped, long moreBytes) {
        return counting(
                waiting + moreWaiting,
                dead + moreDead,
                dropped + moreDropped,
                keptBytes + moreBytes,
                redelivered,
                failed);
    }

    /** The same with more failures. */
    Strand failed(long more) {
        return counting(waiting, dead, dropped, keptBytes, redelivered, failed + more);
    }

    /** The same at another position, of a new generation. */
    Strand rewound(long position) {
        return standing(Math.min(start, position), position, position, high, epoch + 1);
    }

    /** The same with nothing to do. */
    Strand purged(long head) {
        return standing(start, head, head, head, epoch + 1)
                .counting(0, 0, 0, 0, redelivered, failed);
    }

    /** The same counters with other sequences. */
    private Strand standing(
            long newStart, long newClaimed, long newDone, long newHigh, long newEpoch) {
        return new Strand(
                stage,
                lane,
                newStart,
                newClaimed,
                newDone,
                newHigh,
                newEpoch,
                waiting,
                dead,
                dropped,
                keptBytes,
                redelivered,
                failed);
    }

    /** The same sequences with other counters. */
    private Strand counting(
            long newWaiting,
            long newDead,
            long newDropped,
            long newBytes,
            long newRedelivered,
            long newFailed) {
        return new Strand(
                stage,
                lane,
                start,
                claimed,
                done,
                high,
                epoch,
                newWaiting,
                newDead,
                newDropped,
                newBytes,
                newRedelivered,
                newFailed);
    }

    /** Whether it keeps any message in a row of its own. */
    public boolean keeps() {
        return waiting + dead + dropped > 0;
    }
}
