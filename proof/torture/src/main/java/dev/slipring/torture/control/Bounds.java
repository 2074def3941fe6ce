// SPDX-License-Identifier: Apache-2.0
package dev.slipring.torture.control;

import dev.slipring.Ring;
import dev.slipring.Survey;
import dev.slipring.torture.Scale;

import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/**
 * Checks that the ring does not hold more than it may for longer than a moment. For a moment it
 * may: on PostgreSQL others may use the room of done messages a little before that commits, and a
 * server that was killed forgets some of what was done. Thread-safe, but only one thread at a time
 * may look.
 */
final class Bounds {

    private static final int LOOKS = 10;
    private static final long PAUSE_MILLIS = 20;
    private static final long FORGETFUL_NANOS = TimeUnit.SECONDS.toNanos(10);

    private final Ring ring;
    private final Scale scale;
    private final boolean forgets;
    private long most;
    private long mostBytes;
    private boolean wentBack;
    private volatile long forgotUntil = System.nanoTime();

    /**
     * The bounds of a ring.
     *
     * @param exact whether pushes into several lanes at one time stay within the capacity
     * @param forgets whether a server that is killed forgets words, and others may use the room of
     *     done messages at once
     */
    Bounds(Ring ring, boolean exact, boolean forgets) {
        this.ring = ring;
        this.scale = Scale.of(ring.spec());
        this.forgets = forgets;
        // If not, pushes into all lanes may have found the same room.
        long unseen = exact ? 0 : ring.spec().lanes() - 1L;
        this.most = ring.spec().messages() + unseen * scale.together();
        this.mostBytes = ring.spec().bytes() + unseen * scale.togetherBytes();
    }

    /**
     * Notes that a stage went back: in each lane it may see again the first part of a slot that was
     * about to leave the ring.
     */
    void stageWentBack() {
        if (!wentBack) {
            wentBack = true;
            most += (long) ring.spec().lanes() * scale.together();
            mostBytes += ring.spec().lanes() * scale.togetherBytes();
        }
    }

    /** Notes that the server was killed, or is back. */
    void serverWasKilled() {
        if (forgets) {
            forgotUntil = System.nanoTime() + FORGETFUL_NANOS;
        }
    }

    /** Says, as text, if the ring holds more than it may. */
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
