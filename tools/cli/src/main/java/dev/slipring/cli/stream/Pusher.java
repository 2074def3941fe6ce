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
 * Pushes messages in their order, many in one transaction; fewer at a time if the ring has less
 * room.
 */
public final class Pusher {

    private static final int MAX_MESSAGES = 4_000;
    private static final int MAX_BYTES = 1 << 20;

    /** How long one try to push all that has gathered waits for a kept lane. */
    private static final long MOST_NANOS = TimeUnit.SECONDS.toNanos(1);

    private final Ring ring;
    private final Duration wait;
    private final List<Message> gathered = new ArrayList<>();
    private long gatheredBytes;
    private volatile long pushed;

    /** A pusher that waits this long for room. */
    public Pusher(Ring ring, Duration wait) {
        this.ring = ring;
        this.wait = wait;
    }

    /** How many messages are stored. */
    public long pushed() {
        return pushed;
    }

    /** Takes a message, and pushes what has gathered if it is enough for a transaction. */
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
     * @throws RingFull if there was no room in time; the messages that found room before are stored
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
     * Pushes all messages, or as many of the first as there is room for; if there is room for none,
     * waits until the first is pushed. If a lane is kept, waits for it with all of them. Returns
     * how many it has pushed.
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
                // No longer at a time: once the lane is free, there may be room for fewer messages
                // only.
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
