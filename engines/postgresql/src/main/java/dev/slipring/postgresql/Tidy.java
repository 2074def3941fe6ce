// SPDX-License-Identifier: Apache-2.0
package dev.slipring.postgresql;

import dev.slipring.SlipringException;
import dev.slipring.engine.Slot;

import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Sees to it that segments and pages are emptied and used again: after so much work on a ring, in
 * transactions of its own, which nobody waits for as long as they keep up. Any thread.
 */
final class Tidy implements AutoCloseable {

    /** About how many bytes of work pass between two looks. */
    private static final long EVERY = 2 << 20;

    /** Who comes to that much does it himself: else a segment would grow without bound. */
    private static final long LATE = 16 << 20;

    private static final long PER_SLOT = 512;

    private final Connections connections;
    private final ConcurrentMap<String, AtomicLong> work = new ConcurrentHashMap<>();
    private final Errand errand = new Errand("slipring-tidy", this::tidyAll);

    Tidy(Connections connections) {
        this.connections = connections;
    }

    void pushed(String ring, List<Slot> slots) {
        done(ring, slots.stream().mapToLong(slot -> slot.body().length + PER_SLOT).sum());
    }

    void settled(String ring) {
        done(ring, PER_SLOT);
    }

    private void done(String ring, long bytes) {
        AtomicLong sum = work.computeIfAbsent(ring, any -> new AtomicLong());
        long now = sum.addAndGet(bytes);
        if (now >= LATE) {
            tidy(ring, sum, LATE);
        } else if (now >= EVERY) {
            errand.ask();
        }
    }

    private long tidyAll() {
        work.forEach((ring, sum) -> tidy(ring, sum, EVERY));
        return 0;
    }

    private void tidy(String ring, AtomicLong sum, long least) {
        if (sum.get() < least || sum.getAndSet(0) < least) {
            return;
        }
        try {
            connections.call(
                    statements -> {
                        statements.call("SELECT slipring.tidy(?)", ring);
                        return null;
                    });
        } catch (SlipringException e) {
            // What was asked is done; somebody will look again.
            return;
        }
    }

    @Override
    public void close() {
        errand.close();
    }
}
