// SPDX-License-Identifier: Apache-2.0
package dev.slipring.ledger;

import dev.slipring.Delivery;
import dev.slipring.StoreFailed;
import dev.slipring.engine.SlotCodec;

import java.time.Instant;
import java.util.List;

/**
 * A message that a stage keeps in a row of its own: set aside, dead, or dropped but still in the
 * way.
 *
 * @param stage the stage
 * @param lane the message's lane
 * @param position the message's position
 * @param state what it is
 * @param blocks whether the stages that follow are kept from it
 * @param attempts how often it was handed out
 * @param due when it may be handed out; while it is in hand, when the lease runs out
 * @param epoch the claim that has it in hand; 0 if none
 * @param error what the last failure said; empty if it never failed
 * @param worker who had it last
 * @param failedAt when it failed last, in milliseconds since 1970
 * @param pushedAt when it was pushed, in milliseconds since 1970
 * @param message the message, as a slot of one; no bytes if dropped, or if it was not read
 */
public record AsideRow(
        String stage,
        int lane,
        long position,
        State state,
        boolean blocks,
        int attempts,
        long due,
        long epoch,
        String error,
        String worker,
        long failedAt,
        long pushedAt,
        byte[] message) {

    /** In place of a message that was not read. */
    static final byte[] NOT_READ = {};

    /** What a row stands for. The JDBC engine stores the ordinals, so the order must stay. */
    public enum State {
        /** It waits for its retry, or is in hand. */
        WAITING,
        /** It failed too often. */
        DEAD,
        /** Somebody dropped it; only its position matters. */
        DROPPED
    }

    /**
     * A message that a claim has in hand, as a row of its own that has not failed yet.
     *
     * @param slot holds the message
     * @param blocks whether the stages that follow are kept from it
     */
    static AsideRow of(ClaimRow claim, SlotRow slot, long position, boolean blocks) {
        int place = (int) (position - slot.first());
        return new AsideRow(
                claim.stage(),
                claim.lane(),
                position,
                State.WAITING,
                blocks,
                claim.attempt(),
                0,
                0,
                "",
                claim.worker(),
                0,
                slot.pushedAt(),
                SlotCodec.encode(List.of(SlotCodec.decode(slot.body(), place))));
    }

    /** How many bytes the messages of some have together. */
    static long bytes(List<AsideRow> rows) {
        return rows.stream().mapToLong(row -> row.message().length).sum();
    }

    /**
     * The message as it is shown or handed out.
     *
     * @throws StoreFailed if it cannot be read
     */
    Delivery delivery() {
        try {
            return new Delivery(
                    SlotCodec.decode(message, 0),
                    lane,
                    position,
                    attempts,
                    Instant.ofEpochMilli(pushedAt));
        } catch (IllegalArgumentException broken) {
            throw new SlotMissing(this);
        }
    }

    /** The message's position, as a range. */
    LaneRange place() {
        return LaneRange.at(lane, position);
    }

    /** The same with a message. */
    public AsideRow with(byte[] newMessage) {
        return new AsideRow(
                stage,
                lane,
                position,
                state,
                blocks,
                attempts,
                due,
                epoch,
                error,
                worker,
                failedAt,
                pushedAt,
                newMessage);
    }

    /** The same in hand of a worker. */
    AsideRow inHand(String newWorker, long newEpoch, long expires) {
        return standing(State.WAITING, attempts + 1, expires, newEpoch)
                .last(error, newWorker, failedAt);
    }

    /** The same after a failure, to be handed out again. */
    AsideRow setAside(String newError, long newDue, long now) {
        return standing(State.WAITING, attempts, newDue, 0).last(newError, worker, now);
    }

    /** The same after its last failure. */
    AsideRow dead(String newError, long now) {
        return standing(State.DEAD, attempts, 0, 0).last(newError, worker, now);
    }

    /** The same, free to be handed out, with another number of attempts behind it. */
    AsideRow waiting(int newAttempts, long newDue) {
        return standing(State.WAITING, newAttempts, newDue, 0);
    }

    /** The same in hand until later. */
    AsideRow expiring(long expires) {
        return standing(state, attempts, expires, epoch);
    }

    /** The same message, which stands otherwise. */
    private AsideRow standing(State newState, int newAttempts, long newDue, long newEpoch) {
        return new AsideRow(
                stage,
                lane,
                position,
                newState,
                blocks,
                newAttempts,
                newDue,
                newEpoch,
                error,
                worker,
                failedAt,
                pushedAt,
                message);
    }

    /** The same with another last failure, and who had it last. */
    private AsideRow last(String newError, String newWorker, long newFailedAt) {
        return new AsideRow(
                stage,
                lane,
                position,
                state,
                blocks,
                attempts,
                due,
                epoch,
                newError,
                newWorker,
                newFailedAt,
                pushedAt,
                message);
    }

    /** Only its position, for a stage that a rewind brings past it again. */
    AsideRow passedBy() {
        return droppedFor(stage, false);
    }

    /** Only its position, for a stage. */
    AsideRow droppedFor(String forStage, boolean blocking) {
        return new AsideRow(
                forStage,
                lane,
                position,
                State.DROPPED,
                blocking,
                attempts,
                0,
                0,
                error,
                worker,
                failedAt,
                pushedAt,
                new byte[0]);
    }

    /** The same message, new to a stage that follows. */
    AsideRow arrivingAt(String follower, long now) {
        return new AsideRow(
                follower,
                lane,
                position,
                State.WAITING,
                true,
                0,
                now,
                0,
                "",
                "",
                0,
                pushedAt,
                message);
    }
}
