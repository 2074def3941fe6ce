// SPDX-License-Identifier: Apache-2.0
package dev.slipring.cli.stream;

import dev.slipring.LaneKept;
import dev.slipring.Message;
import dev.slipring.Ring;
import dev.slipring.RingFull;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * Pushes messages in their order, many in one transaction, and into a ring with less room as they
 * fit.
 */
public final class Pusher {

    private static final int MAX_MESSAGES = 4_000;
    private static final int MAX_BYTES = 1 << 20;

    /** How long everything that has gathered waits for a lane at a time. */
    private static final long MOST_NANOS = TimeUnit.SECONDS.toNanos(1);

    private final Ring ring;
    private final Duration wait;
    private final List<Message> gathered = new ArrayList<>();
    private long gatheredBytes;
    private volatile long pushed;

    /** A pusher that waits so long for room. */
    public Pusher(Ring ring, Duration wait) {
        this.ring = ring;
        this.wait = wait;
    }

    /** How many messages are in. */
    public long pushed() {
        return pushed;
    }

    /** Takes a message, and pushes what has gathered if that is enough. */
    public void add(Message message) {
        if (gatheredBytes + message.length() > MAX_BYTES) {
            push();
        }
        gathered.add(message);
        gatheredBytes += message.length();
        if (gathered.size() >= MAX_MESSAGES || gatheredBytes >= MAX_BYTES) {
            push();
        }
    }

    /**
     * Pushes what has gathered.
     *
     * @throws RingFull if there was no room in time; what found room before is in
     */
    public void push() {
        List<Message> left = List.copyOf(gathered);
        gathered.clear();
        gatheredBytes = 0;
        while (!left.isEmpty()) {
            int some = pushSome(left);
            pushed += some;
            left = left.subList(some, left.size());
        }
    }

    /**
     * Pushes all or, if there is not room for all, some, or else waits for room for the first; for
     * a lane that somebody keeps all wait.
     */
    private int pushSome(List<Message> messages) {
        long end = System.nanoTime() + wait.toNanos();
        Duration patience = Duration.ZERO;
        int size = messages.size();
        while (size > 1) {
            try {
                ring.pushAll(messages.subList(0, size), patience);
                return size;
            } catch (RingFull full) {
                boolean byCount = full.freeMessages() < size;
                size = byCount ? (int) full.freeMessages() : size / 2;
                patience = Duration.ZERO;
            } catch (LaneKept kept) {
                // Not longer at a time: there may be room for less, once the lane is free.
                patience = Duration.ofNanos(Math.min(end - System.nanoTime(), MOST_NANOS));
                if (patience.isNegative() || patience.isZero()) {
                    throw kept;
                }
            }
        }
        ring.pushAll(messages.subList(0, 1), wait);
        return 1;
    }
}
