// SPDX-License-Identifier: Apache-2.0
package dev.slipring.jdbc;

import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

/**
 * The lane of a ring that this process pushes to, and where it claims what it has pushed. As long
 * as nobody else is on the lane, and a look at all lanes was not long ago and found nothing in the
 * others, a claim need not look again. What is here may be stale: the server notices that by how
 * often the back of the lane has moved. Thread-safe.
 *
 * <pre>
 *     push --&gt; head, turn --&gt; claim, word --&gt; back     one lane; who has the back moves it
 *                 looks at all lanes, one per stage      the others are empty
 * </pre>
 */
final class HomeLane {

    /**
     * How long a look at all lanes is relied on. A message that others push to another lane may be
     * found so late.
     */
    private static final long LOOK_NANOS = TimeUnit.MILLISECONDS.toNanos(20);

    /** For how long a lane is left alone that somebody else was on. */
    private static final long OTHERS_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

    /** How long to wait for a push of ours that is under way. */
    private static final long PUSH_NANOS = TimeUnit.MILLISECONDS.toNanos(2);

    private static final int NOWHERE = -1;

    private int lane = NOWHERE;
    private long since;
    private long head;
    private long turn;
    private int pushing;
    private LaneState back;
    private boolean taken;
    private boolean bypassed;
    private boolean met;
    private long metAt;
    private final Map<String, Look> looks = new HashMap<>();

    /**
     * A look at all lanes that found nothing in any but the one that we push to: not unclaimed, not
     * in hand, not kept.
     *
     * @param lane the lane that we push to
     * @param at when it began, by the nanosecond clock
     * @param nextMillis in how many milliseconds the clock alone may bring something
     * @param turns how many slots had been pushed to the lanes but the one that we push to
     */
    private record Look(int lane, long at, long nextMillis, long turns) {

        long leftMillis(long now) {
            return nextMillis - TimeUnit.NANOSECONDS.toMillis(now - at);
        }
    }

    /** The lane that this process pushes to; -1 if there is none. */
    synchronized int lane() {
        return lane;
    }

    /** The position behind what this process is known to have pushed to a lane. */
    synchronized long head(int number) {
        return number == lane ? head : 0;
    }

    /** A push begins. */
    synchronized void pushBegins() {
        pushing++;
    }

    /** It ends, whatever became of it. */
    synchronized void pushEnds() {
        pushing--;
        notifyAll();
    }

    /**
     * Waits a moment for a push that is under way, if there is nothing to claim yet: then one call
     * takes the word and claims what was pushed.
     *
     * @param number the lane
     * @param claimed how far the stage has claimed
     */
    synchronized void awaitMore(int number, long claimed) {
        await(() -> number != lane || head > claimed);
    }

    private void await(BooleanSupplier enough) {
        long deadline = System.nanoTime() + PUSH_NANOS;
        long left = PUSH_NANOS;
        try {
            while (pushing > 0 && !enough.getAsBoolean() && left > 0) {
                TimeUnit.NANOSECONDS.timedWait(this, left);
                left = deadline - System.nanoTime();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** A slot was pushed to a lane, and this is where that ends now. */
    synchronized void pushed(int to, long newHead, long newTurn) {
        if (to != lane) {
            lane = to;
            since = System.nanoTime();
            back = null;
            head = 0;
            turn = 0;
        }
        head = Math.max(head, newHead);
        turn = Math.max(turn, newTurn);
        notifyAll();
    }

    /** All lanes were looked at for a stage, and there was nothing but in this one. */
    synchronized void looked(String stage, int home, long at, long nextMillis, long turns) {
        looks.put(stage, new Look(home, at, nextMillis, turns));
    }

    /** Forgets what the last look found for a stage. */
    synchronized void forgetLook(String stage) {
        looks.remove(stage);
    }

    /** Whether a claim of a stage may keep to the lane. */
    synchronized boolean isClear(String stage) {
        Look look = looks.get(stage);
        long now = System.nanoTime();
        return lane != NOWHERE
                && look != null
                && look.lane == lane
                && since - look.at <= 0
                && now - look.at < LOOK_NANOS
                && look.leftMillis(now) > 0
                && !(met && now - metAt < OTHERS_NANOS);
    }

    /**
     * Whether nothing is in the ring for a stage: nobody has pushed since the look but this
     * process, and the stage has claimed all of that. Waits a moment for what is being pushed from
     * here.
     *
     * @param number the lane
     * @param claimed how far the stage has claimed
     * @param nowTurn how many slots the lane has had
     * @param nowTurns how many the other lanes have had together
     */
    synchronized boolean isAll(
            String stage, int number, long claimed, long nowTurn, long nowTurns) {
        await(() -> number != lane || turn >= nowTurn);
        Look look = looks.get(stage);
        return look != null
                && look.lane == number
                && look.turns == nowTurns
                && lane == number
                && nowTurn <= turn
                && claimed >= head;
    }

    /** In how many milliseconds the clock alone may bring something. */
    synchronized long nextMillis(String stage) {
        Look look = looks.get(stage);
        return look == null || look.nextMillis == Long.MAX_VALUE
                ? Long.MAX_VALUE
                : Math.max(1, look.leftMillis(System.nanoTime()));
    }

    /**
     * Takes the lane, until it is given back; false if another thread of this process has it, or
     * this process pushes to another lane by now.
     */
    synchronized boolean take(int number) {
        boolean free = !taken && lane == number && lane != NOWHERE;
        taken |= free;
        bypassed &= !free;
        return free;
    }

    /**
     * The back of the lane as it was left; null if it is not known. For the thread that has taken
     * the lane.
     */
    synchronized LaneState back() {
        return back;
    }

    /**
     * Gives the lane back.
     *
     * @param number which it was
     * @param left its back as it is now; null if that is not known
     */
    synchronized void give(int number, LaneState left) {
        taken = false;
        back = number == lane && !bypassed ? left : null;
    }

    /**
     * This process changed something in a lane past what is kept here, so what is known of its back
     * is wrong.
     */
    synchronized void bypassed() {
        back = null;
        bypassed = true;
    }

    /** Somebody else is on the lane, unless it was this process. */
    synchronized void metOthers() {
        if (!bypassed) {
            met = true;
            metAt = System.nanoTime();
        }
    }
}
