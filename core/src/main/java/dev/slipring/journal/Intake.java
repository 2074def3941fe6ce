// SPDX-License-Identifier: Apache-2.0
package dev.slipring.journal;

import dev.slipring.ring.MPSequence;
import dev.slipring.ring.RingQueue;
import dev.slipring.ring.SCSequence;
import dev.slipring.ring.Sequence;
import dev.slipring.threads.Unbroken;

import java.lang.invoke.VarHandle;
import java.util.Collection;

/**
 * Where pushes gather: a ring between the threads that push and the one that writes.
 *
 * <pre>
 *     push --&gt;+
 *     push --&gt;+--&gt; producers --&gt; writer --&gt; producers
 *     push --&gt;+
 * </pre>
 *
 * Any thread may add and free. The other methods are for the thread that holds the journal's lock.
 */
final class Intake {

    /**
     * How many pushes there is room for; one that finds no place waits until the writer has taken
     * some.
     */
    private static final int PLACES = 4_096;

    private final Room room;
    private final RingQueue<Place> ring = new RingQueue<>(Place::new, PLACES);
    private final MPSequence producers = new MPSequence(PLACES);
    private final SCSequence writer = new SCSequence();
    private volatile long taken = Sequence.NONE;

    /** A slot of the ring. */
    private static final class Place {

        private Entry entry;
    }

    /** An empty intake of the ring with that name. */
    Intake(String name, long maxBytes) {
        this.room = new Room(name, maxBytes);
        producers.then(writer).then(producers);
    }

    /** Adds an entry; as long as there is any room, an entry of any size finds some. */
    void add(Entry entry) {
        room.take(entry);
        long at = place(entry);
        if (at < 0) {
            room.free(entry);
            throw at == Sequence.CLOSED ? room.closed() : room.full();
        }
        ring.get(at).entry = entry;
        producers.done(at);
    }

    private long place(Entry entry) {
        return Unbroken.get(
                () ->
                        producers.waitForNext(
                                1, Math.max(entry.deadlineNanos - System.nanoTime(), 0)));
    }

    /** Moves what has gathered; where the target cannot grow, the rest stays here. */
    void drainTo(Collection<Entry> target) {
        for (long first = writer.next(); first >= 0; first = writer.next()) {
            long end = writer.available();
            long at = first;
            try {
                for (; at < end; at++) {
                    Place place = ring.get(at);
                    target.add(place.entry);
                    place.entry = null;
                }
            } finally {
                if (at > first) {
                    writer.done(at - 1);
                    taken = at - 1;
                }
            }
        }
    }

    /** The entry that has waited longest; null if there is none. */
    Entry first() {
        long at = writer.next();
        return at < 0 ? null : ring.get(at).entry;
    }

    /** Whether something came that was not taken yet, or is just coming. Any thread may ask. */
    boolean hasMore() {
        // The caller has just let go of the lock, which others see before this is read. So a thread
        // that comes too late to be seen here finds the lock free.
        VarHandle.fullFence();
        return producers.current() > taken;
    }

    /** The place that was given last. Any thread may ask. */
    long placed() {
        return producers.current();
    }

    /** Whether all is taken up to a place. */
    boolean hasTaken(long place) {
        return taken >= place;
    }

    /** Whether all that was added is written or refused. Any thread may ask. */
    boolean isIdle() {
        return room.isEmpty();
    }

    /** An entry that was drained is written or refused: its room is free. */
    void free(Entry entry) {
        room.free(entry);
    }

    /** Takes nothing more; whoever comes is told whether the ring was dropped. */
    void close(boolean dropped) {
        // First, as it is the room that says why.
        room.close(dropped);
        producers.close();
    }
}
