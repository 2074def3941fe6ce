// SPDX-License-Identifier: Apache-2.0
package dev.slipring.postgresql;

import dev.slipring.SlipringException;
import dev.slipring.engine.Slot;

import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Sees to it that segments and pages are emptied and used again: after so much work on a ring, by
 * whoever did the last of it, in transactions of its own. Any thread.
 */
final class Tidy {

    /** About how many bytes of work pass between two looks. */
    private static final long EVERY = 2 << 20;

    private static final long PER_SLOT = 512;

    private final Connections connections;
    private final ConcurrentMap<String, AtomicLong> work = new ConcurrentHashMap<>();

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
        if (sum.addAndGet(bytes) >= EVERY && sum.getAndSet(0) >= EVERY) {
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
    }
}
