// SPDX-License-Identifier: Apache-2.0
package dev.slipring.journal;

import dev.slipring.RingFull;
import dev.slipring.StoreFailed;
import dev.slipring.engine.Pause;
import dev.slipring.watch.Watcher;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.Deque;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;

/**
 * Where pushes wait whose lane somebody keeps in an open transaction, so that all others go by.
 *
 * <pre>
 *     intake --&gt; writer ------------------&gt; store
 *                  |                          ^
 *                  +--&gt; detour --&gt; writer ----+
 *                         one lane of them, while anything of it waits
 * </pre>
 *
 * A lane is on the detour as long as an entry of it is: what comes later for that lane comes here,
 * behind it, so the messages of a key keep their order. An entry with keys of several lanes brings
 * all of them. It is served by a thread of its own, which begins with the first entry.
 */
final class Detour {

    private static final long PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(10);

    private final String ring;
    private final int lanes;
    private final Writer writer;
    private final Watcher watcher;
    private final Set<Entry> waiting = new LinkedHashSet<>();

    /** How many of those that wait have a key of a lane. */
    private final int[] entries;

    private volatile boolean isUsed;
    private boolean closing;
    private Thread thread;

    Detour(String ring, int lanes, Writer writer, Watcher watcher) {
        this.ring = ring;
        this.lanes = lanes;
        this.writer = writer;
        this.watcher = watcher;
        this.entries = new int[lanes];
    }

    /** Takes what belongs here of entries in order; false if nothing does. */
    boolean take(Deque<Entry> pending) {
        return isUsed && take(pending, Set.of());
    }

    /** Takes what has keys of lanes that others keep, and all that belongs behind it. */
    synchronized boolean take(Deque<Entry> pending, Set<Integer> kept) {
        BitSet here = new BitSet(lanes);
        kept.forEach(here::set);
        for (int lane = 0; lane < lanes; lane++) {
            here.set(lane, here.get(lane) || entries[lane] > 0);
        }
        spread(here, pending);
        boolean some = false;
        for (Iterator<Entry> each = pending.iterator(); each.hasNext(); ) {
            Entry entry = each.next();
            if (entry.lanes(lanes).intersects(here)) {
                each.remove();
                add(entry);
                some = true;
            }
        }
        return some;
    }

    /**
     * Adds the lanes that share an entry with those that are here already: else what stands before
     * that entry in such a lane might be written after it.
     */
    private void spread(BitSet here, Deque<Entry> pending) {
        int before;
        do {
            before = here.cardinality();
            for (Entry entry : pending) {
                if (entry.lanes(lanes).intersects(here)) {
                    here.or(entry.lanes(lanes));
                }
            }
        } while (here.cardinality() > before);
    }

    private void add(Entry entry) {
        entry.divert();
        waiting.add(entry);
        entry.lanes(lanes).stream().forEach(lane -> entries[lane]++);
        isUsed = true;
        if (thread == null) {
            thread = new Thread(this::run, "slipring-detour-" + ring);
            thread.setDaemon(true);
            thread.start();
        }
        notifyAll();
    }

    private void run() {
        while (hasEntries()) {
            try {
                round();
            } catch (Error broken) {
                // Those in the group were told; this thread goes on for the next.
                watcher.storeFailed(new StoreFailed("a push to ring '" + ring + "' broke", broken));
            }
            forgetOver();
        }
    }

    /** Waits for entries; false if none will come. */
    private synchronized boolean hasEntries() {
        boolean interrupted = false;
        while (waiting.isEmpty() && !closing) {
            try {
                wait();
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
        return !waiting.isEmpty();
    }

    /**
     * Writes all whose lanes nobody keeps, refuses who is late, and pauses if some have to wait.
     */
    private void round() {
        BitSet shut = new BitSet(lanes);
        Set<Integer> kept = Set.of();
        List<Entry> group = writer.first(open(shut));
        try {
            while (!group.isEmpty()) {
                Set<Integer> now = writer.write(group);
                forgetOver();
                kept = now.isEmpty() ? kept : now;
                if (!now.isEmpty() && !shut(shut, now, group) && !writer.avoid(now)) {
                    break;
                }
                group = writer.first(open(shut));
            }
            if (!kept.isEmpty()) {
                writer.refuse(all(), isClosing(), kept);
                Pause.sleep(PAUSE_NANOS);
            }
        } catch (RingFull full) {
            writer.refuse(all(), isClosing(), full);
            Pause.sleep(PAUSE_NANOS);
        }
    }

    /** Those in order that have no key of a lane that is shut, and stand behind none who has. */
    private synchronized List<Entry> open(BitSet shut) {
        List<Entry> open = new ArrayList<>();
        BitSet behind = (BitSet) shut.clone();
        for (Entry entry : waiting) {
            if (entry.lanes(lanes).intersects(behind)) {
                behind.or(entry.lanes(lanes));
            } else {
                open.add(entry);
            }
        }
        return open;
    }

    /** Shuts lanes that others keep; false if no entry of the group is hindered by that. */
    private boolean shut(BitSet shut, Set<Integer> kept, List<Entry> group) {
        kept.forEach(shut::set);
        return group.stream().anyMatch(entry -> entry.lanes(lanes).intersects(shut));
    }

    private synchronized List<Entry> all() {
        return List.copyOf(waiting);
    }

    private synchronized boolean isClosing() {
        return closing;
    }

    private synchronized void forgetOver() {
        for (Iterator<Entry> each = waiting.iterator(); each.hasNext(); ) {
            Entry entry = each.next();
            if (entry.isOver()) {
                each.remove();
                entry.lanes(lanes).stream().forEach(lane -> entries[lane]--);
            }
        }
        isUsed = !waiting.isEmpty();
    }

    /** Tries once more what waits, refuses what still cannot be written, and ends. */
    void close() {
        Thread server;
        synchronized (this) {
            closing = true;
            notifyAll();
            server = thread;
        }
        boolean interrupted = false;
        while (server != null && server.isAlive()) {
            try {
                server.join();
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
