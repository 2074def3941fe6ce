// SPDX-License-Identifier: Apache-2.0
package dev.slipring.ledger;

import dev.slipring.engine.Claimed;
import dev.slipring.engine.Ticket;
import dev.slipring.graph.StageSpec;

import java.util.BitSet;
import java.util.Comparator;
import java.util.List;

/**
 * A claim on a range of a lane.
 *
 * @param stage the stage
 * @param lane the lane
 * @param epoch its fencing number
 * @param from the lowest position that is not settled
 * @param to the position behind the last
 * @param settled which of them are settled, counted from {@code from}; empty if none
 * @param attempt the number of the attempt, from 1
 * @param worker who has it
 * @param expires when its lease runs out, in milliseconds since 1970 by the store's clock
 */
public record ClaimRow(
        String stage,
        int lane,
        long epoch,
        long from,
        long to,
        BitSet settled,
        int attempt,
        String worker,
        long expires) {

    /** The one first whose lease runs out first. */
    public static final Comparator<ClaimRow> FIRST_TO_EXPIRE =
            Comparator.comparingLong(ClaimRow::expires).thenComparingLong(ClaimRow::epoch);

    /** Whether a position belongs to it and is not settled. */
    boolean holds(long position) {
        return position >= from && position < to && !settled.get((int) (position - from));
    }

    /** How many messages are not settled. */
    int left() {
        return (int) (to - from) - settled.cardinality();
    }

    /**
     * The position behind the first {@code many} that are not settled. A claim that somebody
     * damaged may have fewer; then it is where the claim ends.
     */
    long endOf(long many) {
        long left = many;
        long end = from;
        while (left > 0 && end < to) {
            left -= holds(end) ? 1 : 0;
            end++;
        }
        return end;
    }

    /** The same with other positions settled. */
    ClaimRow with(BitSet nowSettled) {
        return new ClaimRow(stage, lane, epoch, from, to, nowSettled, attempt, worker, expires);
    }

    /** The same, with {@code from} moved over what is settled in front. */
    ClaimRow trimmed() {
        return startingAt(from + settled.nextClearBit(0));
    }

    /** The same up to a position. */
    ClaimRow upTo(long end) {
        BitSet rest = settled.get(0, (int) (end - from));
        return new ClaimRow(stage, lane, epoch, from, end, rest, attempt, worker, expires);
    }

    /** The same from a position. */
    ClaimRow startingAt(long start) {
        int shift = (int) (start - from);
        BitSet rest = settled.get(shift, Math.max(shift, settled.length()));
        return new ClaimRow(stage, lane, epoch, start, to, rest, attempt, worker, expires);
    }

    /** The same handed to somebody else. */
    ClaimRow handedTo(String newWorker, long newEpoch, int newAttempt, long newExpires) {
        return new ClaimRow(
                stage, lane, newEpoch, from, to, settled, newAttempt, newWorker, newExpires);
    }

    /** What names it to its worker. */
    public Ticket ticket() {
        return new Ticket(stage, lane, epoch, false);
    }

    /** The claim as its worker gets it, with its messages, which these slots hold. */
    public Claimed handedOut(List<SlotRow> slots, StageSpec by) {
        return Claimed.of(ticket(), by.mode(), new Deliveries(this, slots), by.lease().toMillis());
    }

    /** The same with another end of its lease. */
    public ClaimRow expiring(long newExpires) {
        return handedTo(worker, epoch, attempt, newExpires);
    }
}
