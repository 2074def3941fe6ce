// SPDX-License-Identifier: Apache-2.0
package dev.slipring.ring;

/**
 * A sequence that one thread uses: an index is its own until it says {@code done}, so nothing need
 * be claimed, and asking twice gives the same.
 */
abstract sealed class SingleSequence extends Sequence permits SPSequence, SCSequence {

    SingleSequence(boolean producer) {
        super(producer);
    }

    @Override
    public final long next() {
        long next = value + 1;
        return next <= (long) LIMIT.getOpaque(this) ? next : nextByLooking(next, next);
    }

    @Override
    final long nextKnown() {
        long next = value + 1;
        return next <= (long) LIMIT.getOpaque(this) ? next : NONE;
    }

    @Override
    public final long next(int n) {
        checkSize(n);
        long next = value + 1;
        long last = value + n;
        return last <= (long) LIMIT.getOpaque(this) ? next : nextByLooking(next, last);
    }

    @Override
    public final long next(Range range, int most) {
        checkMost(most);
        long first = next();
        if (first < 0) {
            return first;
        }
        long last = Math.min((long) LIMIT.getOpaque(this), first + most - 1);
        if (last < first) {
            // It was stopped, or has left, since it was asked.
            return CLOSED;
        }
        range.set(first, last);
        return first;
    }

    private long nextByLooking(long next, long last) {
        long found = look();
        if (last <= found) {
            return next;
        }
        return found == CLOSED ? CLOSED : none(next);
    }

    @Override
    public final void done(long cursor) {
        VALUE.setRelease(this, cursor);
        if (cursor >= bell.wakeAt()) {
            bell.ring();
        }
    }

    @Override
    public final void done(long first, long last) {
        done(last);
    }

    @Override
    public final long available() {
        long last = Math.min((long) LIMIT.getOpaque(this), value + circuit().batch());
        // Behind what is done already there is nothing, if it was stopped or has left by now.
        return Math.max(last, value) + 1;
    }

    @Override
    final boolean isReady(long n) {
        long last = value + n;
        if (last <= (long) LIMIT.getOpaque(this)) {
            return true;
        }
        long found = look();
        return last <= found || found == CLOSED || value + 1 > circuit().end();
    }

    @Override
    final void position(long index) {
        VALUE.setRelease(this, index);
        LIMIT.setOpaque(this, index);
    }

    @Override
    final long availableIndex() {
        return (long) VALUE.getAcquire(this);
    }

    @Override
    final Sequence lagging(long index) {
        return (long) VALUE.getAcquire(this) < index ? this : null;
    }

    @Override
    final long usable(long reached) {
        return Long.MAX_VALUE;
    }

    @Override
    final void raiseLimit(long before, long found) {
        LIMIT.setOpaque(this, found);
    }

    @Override
    final void lowerLimit() {
        LIMIT.setOpaque(this, CLOSED);
    }

    @Override
    final void checkSize(int n) {
        if (n < 1 || n > circuit().capacity()) {
            throw new IllegalArgumentException(
                    n + " indices at a time: use 1 to the ring's " + circuit().capacity());
        }
    }
}
