// SPDX-License-Identifier: Apache-2.0
package dev.slipring.ring;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.Arrays;

/**
 * A sequence that several threads share. A thread claims a range of indices by moving {@code value}
 * over it. When it is done with them it leaves one stamp: the last index, written at the slot of
 * the first. Those that follow go from stamp to stamp. A stamp at the slot of p counts if it is
 * from p to p + capacity - 1: in an earlier lap of the ring it was less, in a later one it will be
 * more.
 *
 * <p>The limit is read with acquire: another thread may have set it, and what that thread saw done
 * must be visible to whoever claims because of it.
 */
abstract sealed class MultiSequence extends Sequence permits MPSequence, MCSequence {

    /** Added to {@code value} when nothing can be claimed any more. */
    private static final long ENDED = 1L << 62;

    private static final VarHandle STAMP = MethodHandles.arrayElementVarHandle(long[].class);

    /** Where in its array it stands, away from what else is written. */
    private static final int SEEN = 16;

    /** So many claims in a pause, or fewer, leave the line alone most of the time. */
    private static final int FEW = 4;

    private final long[] stamps;

    /**
     * How far everything is done, as far as somebody has looked: the end of a range, so that the
     * next stamp is behind it. Nothing can be overwritten before somebody has looked so far.
     */
    private final long[] seen = new long[2 * SEEN];

    MultiSequence(boolean producer, int capacity) {
        super(producer);
        stamps = new long[Capacity.check(capacity)];
        Arrays.fill(stamps, -1);
        seen[SEEN] = -1;
    }

    @Override
    public final long next() {
        long claimed = (long) VALUE.getAcquire(this);
        long next = claimed + 1;
        if (next > (long) LIMIT.getAcquire(this)) {
            long none = noneByLooking(claimed, next);
            if (none != 0) {
                return none;
            }
        }
        return VALUE.compareAndSet(this, claimed, next) ? next : LOST;
    }

    @Override
    final long nextKnown() {
        while (true) {
            long next = (long) VALUE.getAcquire(this) + 1;
            if (next > (long) LIMIT.getAcquire(this)) {
                return NONE;
            }
            if (VALUE.compareAndSet(this, next - 1, next)) {
                return next;
            }
            standBack();
        }
    }

    /**
     * Lets a faster thread claim for as long as its claims come fast, up to a batch: two that claim
     * in turn pay for each index that the cache line goes from one processor to the other. Slow
     * claims are not worth standing back for: a batch of them would take milliseconds.
     */
    @Override
    final void standBack() {
        long before = (long) VALUE.getAcquire(this);
        long last = before + circuit().batch();
        for (int i = 0; before < last; i++) {
            Waiting.pause(i);
            long now = (long) VALUE.getAcquire(this);
            if (now - before <= (long) FEW << Math.min(i, Waiting.LONGEST)) {
                return;
            }
            before = now;
        }
    }

    @Override
    public final long next(int n) {
        checkSize(n);
        long claimed = (long) VALUE.getAcquire(this);
        long last = claimed + n;
        if (last > (long) LIMIT.getAcquire(this)) {
            long none = noneByLooking(claimed, last);
            if (none != 0) {
                return none;
            }
        }
        return VALUE.compareAndSet(this, claimed, last) ? claimed + 1 : LOST;
    }

    @Override
    public final long next(Range range, int most) {
        checkMost(most);
        long claimed = (long) VALUE.getAcquire(this);
        long limit = (long) LIMIT.getAcquire(this);
        if (claimed + 1 > limit) {
            long none = noneByLooking(claimed, claimed + 1);
            if (none != 0) {
                return none;
            }
            limit = (long) LIMIT.getAcquire(this);
        }
        long last = Math.min(limit, claimed + most);
        if (last <= claimed || !VALUE.compareAndSet(this, claimed, last)) {
            return LOST;
        }
        range.set(claimed + 1, last);
        return claimed + 1;
    }

    /** Why there is no such index; 0 if there is. */
    private long noneByLooking(long claimed, long last) {
        if (isEnded(claimed)) {
            return CLOSED;
        }
        long found = look();
        if (found == CLOSED) {
            return CLOSED;
        }
        if (last <= found) {
            return 0;
        }
        // Only if nobody claimed meanwhile do we know that there was nothing.
        return (long) VALUE.getVolatile(this) == claimed ? none(claimed + 1) : LOST;
    }

    @Override
    public final void done(long cursor) {
        done(cursor, cursor);
    }

    @Override
    public final void done(long first, long last) {
        STAMP.setRelease(stamps, (int) first & (stamps.length - 1), last);
        if (bell.wakeAt() != Bell.NOBODY) {
            wake();
        }
    }

    /** Rings if everything is done that somebody waits for. */
    private void wake() {
        // Of two who finish side by side at least one must see both.
        VarHandle.fullFence();
        if (availableIndex() >= bell.wakeAt()) {
            bell.ring();
        }
    }

    @Override
    public final long available() {
        throw new UnsupportedOperationException(
                this
                        + " is shared by several threads: claim a batch with next(n) or"
                        + " next(range, most)");
    }

    @Override
    final boolean isReady(long n) {
        long claimed = (long) VALUE.getAcquire(this);
        if (isEnded(claimed) || claimed + n <= (long) LIMIT.getAcquire(this)) {
            return true;
        }
        long found = look();
        return claimed + n <= found || found == CLOSED || claimed + 1 > circuit().end();
    }

    @Override
    public final long current() {
        long claimed = (long) VALUE.getAcquire(this);
        return isEnded(claimed) ? claimed - ENDED : claimed;
    }

    private static boolean isEnded(long claimed) {
        return claimed >= ENDED - 1;
    }

    /** Has nothing be claimed any more; returns the last index that was. */
    final long endClaims() {
        long claimed = (long) VALUE.getVolatile(this);
        while (!isEnded(claimed) && !VALUE.compareAndSet(this, claimed, claimed + ENDED)) {
            claimed = (long) VALUE.getVolatile(this);
        }
        return isEnded(claimed) ? claimed - ENDED : claimed;
    }

    @Override
    final void position(long index) {
        // It may have been in another ring, whose stamps might count in this one.
        Arrays.fill(stamps, -1);
        STAMP.setVolatile(seen, SEEN, index);
        VALUE.setVolatile(this, index);
        LIMIT.setVolatile(this, index);
    }

    @Override
    final long availableIndex() {
        long before = (long) STAMP.getAcquire(seen, SEEN);
        while (true) {
            long last = lastStamp(before);
            if (last == before || STAMP.compareAndSet(seen, SEEN, before, last)) {
                long now = (long) STAMP.getAcquire(seen, SEEN);
                if (now == last) {
                    return last;
                }
            }
            // Others have looked further meanwhile, and what we looked at may be overwritten.
            before = (long) STAMP.getAcquire(seen, SEEN);
        }
    }

    private long lastStamp(long before) {
        long next = before + 1;
        while (true) {
            long last = (long) STAMP.getAcquire(stamps, (int) next & (stamps.length - 1));
            if (last < next || last - next >= stamps.length) {
                return next - 1;
            }
            next = last + 1;
        }
    }

    @Override
    final Sequence lagging(long index) {
        return availableIndex() < index ? this : null;
    }

    @Override
    final long usable(long reached) {
        return reached - bellIndex(current());
    }

    @Override
    final void raiseLimit(long before, long found) {
        long limit = before;
        // Once closed it stays so: another of its threads may have looked before.
        while (limit != CLOSED && found > limit && !LIMIT.compareAndSet(this, limit, found)) {
            limit = (long) LIMIT.getOpaque(this);
        }
    }

    @Override
    final void lowerLimit() {
        // Nobody raises it, and by now it may have its place in a graph again.
    }

    @Override
    final int capacity() {
        return stamps.length;
    }

    @Override
    final void checkSize(int n) {
        if (n < 1 || n > stamps.length) {
            throw new IllegalArgumentException(
                    n + " indices at a time: use 1 to the ring's " + stamps.length);
        }
    }
}
