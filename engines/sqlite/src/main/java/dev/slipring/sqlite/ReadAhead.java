// SPDX-License-Identifier: Apache-2.0
package dev.slipring.sqlite;

import dev.slipring.SlipringException;
import dev.slipring.engine.Log;
import dev.slipring.ledger.LaneRange;
import dev.slipring.ledger.SlotRow;
import dev.slipring.sqlite.BodyCache.At;

import java.lang.System.Logger.Level;
import java.util.concurrent.atomic.AtomicReference;

/**
 * Reads the bodies behind those that were claimed last before the next claim takes its turn as the
 * writer. A stage that is far behind finds none of them in memory, and nobody else can write while
 * its claim reads. Thread-safe.
 */
final class ReadAhead implements Cells.Witness {

    /** More would push out what was written lately, which other stages will ask for. */
    private static final long MOST_BYTES = BodyCache.MOST_BYTES / 4;

    /** One is read while the one before it is handed out. */
    private static final int CLAIMS = 2;

    private final Reader reader;
    private final AtomicReference<Stretch> next = new AtomicReference<>();

    /** Behind the last slot that was read ahead. */
    private volatile At reached = new At(0, 0, 0);

    ReadAhead(Reader reader) {
        this.reader = reader;
    }

    /**
     * Slots of a lane.
     *
     * @param start the first of them, or where it will be
     * @param bytes how long their bodies are together
     */
    private record Stretch(At start, long bytes) {}

    /**
     * Only a reader that has missed a body reads ahead, and goes on for as long as it finds what
     * was read ahead.
     */
    @Override
    public void read(At at, int count, int bytes, boolean missed) {
        At ahead = reached;
        boolean found =
                ahead.ring() == at.ring()
                        && ahead.lane() == at.lane()
                        && at.first() < ahead.first();
        if (missed || found) {
            Stretch before = next.get();
            boolean follows = before != null && before.start.equals(at);
            At behind = new At(at.ring(), at.lane(), at.first() + count);
            next.set(new Stretch(behind, bytes + (follows ? before.bytes : 0)));
        }
    }

    /** Reads what the next claims will want, if that is known and nobody else is reading. */
    void fetch() {
        Stretch wanted = next.getAndSet(null);
        if (wanted == null) {
            return;
        }
        At start = wanted.start;
        LaneRange behind = new LaneRange(start.lane(), start.first(), Long.MAX_VALUE);
        long bytes = Math.min(CLAIMS * wanted.bytes, MOST_BYTES);
        try {
            reader.readIfFree(
                    rows ->
                            rows.lanes()
                                    .slots(start.ring(), behind, bytes)
                                    .forEach(slot -> reached = behind(start, slot)));
        } catch (SlipringException e) {
            // What is wrong meets the claim too, which says so.
            Log.write(Level.DEBUG, "nothing was read ahead", e);
        }
    }

    private static At behind(At lane, SlotRow slot) {
        return new At(lane.ring(), lane.lane(), slot.end());
    }
}
