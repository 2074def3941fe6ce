// SPDX-License-Identifier: Apache-2.0
package dev.slipring.torture.control;

import dev.slipring.Ring;
import dev.slipring.Survey;
import dev.slipring.torture.Course;

import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/**
 * Whether the ring holds no more than it may, for longer than a moment: on PostgreSQL others have
 * the room of what is done a little before its commit, and a server that was killed forgets some of
 * what was done. Thread-safe but for looking, which one does at a time.
 */
final class Bounds {

    private static final int LOOKS = 10;
    private static final long PAUSE_MILLIS = 20;
    private static final long FORGETFUL_NANOS = TimeUnit.SECONDS.toNanos(10);

    private final Ring ring;
    private final boolean forgets;
    private long most;
    private long mostBytes;
    private boolean wentBack;
    private volatile long forgotUntil = System.nanoTime();

    /**
     * The bounds of a ring.
     *
     * @param exact whether pushes into several lanes at one time stay within the capacity
     * @param forgets whether a server that is killed forgets words, and their room is others' at
     *     once
     */
    Bounds(Ring ring, boolean exact, boolean forgets) {
        this.ring = ring;
        this.forgets = forgets;
        // Else each of them may have seen the same room.
        long unseen = exact ? 0 : ring.spec().lanes() - 1L;
        this.most = ring.spec().messages() + unseen * Course.TOGETHER;
        this.mostBytes = ring.spec().bytes() + unseen * Course.TOGETHER_BYTES;
    }

    /** A stage may see again, in each lane, the front of a slot that was on its way out. */
    void stageWentBack() {
        if (!wentBack) {
            wentBack = true;
            most += (long) ring.spec().lanes() * Course.TOGETHER;
            mostBytes += ring.spec().lanes() * Course.TOGETHER_BYTES;
        }
    }

    /** The server was killed, or is back from that. */
    void serverWasKilled() {
        if (forgets) {
            forgotUntil = System.nanoTime() + FORGETFUL_NANOS;
        }
    }

    /** How it holds more than it may, in words. */
    Optional<String> look() throws InterruptedException {
        Survey now = ring.info();
        for (int looks = 1; forgets && !isWithin(now) && looks < LOOKS; looks++) {
            Thread.sleep(PAUSE_MILLIS);
            now = ring.info();
        }
        return isWithin(now) || forgotUntil - System.nanoTime() > 0
                ? Optional.empty()
                : Optional.of(
                        String.format(
                                Locale.ROOT,
                                "promise 6: the ring holds %d messages with %d bytes, more than %d"
                                        + " or %d",
                                now.heldMessages(),
                                now.heldBytes(),
                                most,
                                mostBytes));
    }

    private boolean isWithin(Survey now) {
        return now.heldMessages() <= most && now.heldBytes() <= mostBytes;
    }
}
