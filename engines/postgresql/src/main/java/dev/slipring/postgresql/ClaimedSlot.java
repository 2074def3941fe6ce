// SPDX-License-Identifier: Apache-2.0
package dev.slipring.postgresql;

import java.time.Instant;

/** A slot of a claim, which is put together from its pieces as they come. */
final class ClaimedSlot {

    /** The position of its first message. */
    final long first;

    /** The number of the attempt, from 1. */
    final int attempt;

    /** When it was pushed. */
    final Instant pushedAt;

    /** The number of the push, if this process made it; else 0. */
    final long push;

    private byte[] body;
    private int filled;

    /** A slot whose body this process has kept. */
    ClaimedSlot(long first, int attempt, Instant pushedAt, long push) {
        this.first = first;
        this.attempt = attempt;
        this.pushedAt = pushedAt;
        this.push = push;
    }

    /** The first piece of a slot of so many bytes; zero if it is all of it. */
    ClaimedSlot(long first, int attempt, Instant pushedAt, long push, int size, byte[] piece) {
        this(first, attempt, pushedAt, push);
        body = piece;
        filled = piece.length;
        if (size > piece.length) {
            body = new byte[size];
            System.arraycopy(piece, 0, body, 0, piece.length);
        }
    }

    /** Adds the next piece. */
    void add(byte[] piece) {
        System.arraycopy(piece, 0, body, filled, piece.length);
        filled += piece.length;
    }

    /**
     * The messages, as {@link dev.slipring.engine.SlotCodec} writes them.
     *
     * @param lane the lane of the slot
     */
    byte[] body(int lane, OwnBodies.View here) {
        return body == null ? here.body(lane, push) : body;
    }
}
