// SPDX-License-Identifier: Apache-2.0
package dev.slipring.journal;

import dev.slipring.RingFull;
import dev.slipring.engine.BetweenTries;
import dev.slipring.threads.Unbroken;

import java.time.Duration;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Collection;
import java.util.Deque;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;

/**
 * Where pushes wait whose lane is kept by an open transaction, so that all other pushes can go past
 * them.
 *
 * <pre>
 *     intake --&gt; writer ------------------&gt; store
 *                  |                          ^
 *                  +--&gt; detour --&gt; writer ----+
 *                         one lane of them, while it is kept or anything of it waits
 * </pre>
 *
 * What comes later for a lane that is on the detour waits here too, behind the rest, so that the
 * messages of a key keep their order. A push into several lanes brings all of them here. A thread
 * of its own, which begins with the first entry, writes what goes to lanes that nobody keeps, and
 * tries the others by turns.
 */
final class Detour {

    private static final int NONE = -1;
    private static final long PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(10);

    /** How long free lanes are served before a kept one is tried again. */
    private static final long SERVICE_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

    /**
     * How long to wait for a lane if all that waits here needs it: a wait that is given up loses
     * its place in the database's queue. Also the time after which a push into several lanes waits
     * so long for each of them.
     */
    private static final Duration LONGER = Duration.ofSeconds(1);

    private final String ring;
    private final int lanes;
    private final Writer writer;

    /** What waits, in order. Guarded by this, as is all that follows but what is volatile. */
    private final Set<Entry> waiting = new LinkedHashSet<>();

    /** How many of those that wait have a key of a lane. */
    private final int[] entries;

    /** The lanes that others kept when they were last tried. */
    private final BitSet kept = new BitSet();

    /** A clock that counts what comes here and what is tried, to tell which came first. */
    private long clock;

    /** When each lane was last tried in vain, by that clock. */
    private final long[] triedAt;

    /** The kept lane that had its turn last. */
    private int tried;

    /**
     * Whether anything waits here, or a lane is known to be kept: the writer reads this without the
     * lock, and most often has nothing to do here.
     */
    private volatile boolean isUsed;

    private boolean closing;
    private volatile Thread thread;

    Detour(String ring, int lanes, Writer writer) {
        this.ring = ring;
        this.lanes = lanes;
        this.writer = writer;
        this.entries = new int[lanes];
        this.triedAt = new long[lanes];
    }

    /** The lanes that others keep, as far as is known. */
    synchronized Set<Integer> kept() {
        return kept.stream().boxed().collect(Collectors.toSet());
    }

    /** Takes what belongs here of entries in order; false if nothing does. */
    boolean take(Deque<Entry> pending) {
        return isUsed && take(pending, Set.of());
    }

    /** The same, after it was found that others keep these lanes. */
    synchronized boolean take(Deque<Entry> pending, Set<Integer> keptNow) {
        for (Entry entry : pending) {
            // A lane that nobody here has a key of does not concern the detour.
            BitSet own = entry.lanes(lanes);
            keptNow.stream().filter(own::get).forEach(kept::set);
        }
        isUsed |= !kept.isEmpty();
        if (!isUsed) {
            return false;
        }
        startThread();
        BitSet here = lanesHere(pending);
        boolean some = false;
        for (Iterator<Entry> each = pending.iterator(); each.hasNext(); ) {
            Entry entry = each.next();
            if (entry.lanes(lanes).intersects(here)) {
                // Added before it is removed there: if memory runs out in between, the entry must
                // not be lost.
                waiting.add(entry);
                count(entry, 1);
                entry.divert(++clock);
                each.remove();
                some = true;
            }
        }
        // The writer has tried them: who can wait no longer is not tried again.
        keptNow.stream().filter(lane -> lane < lanes).forEach(lane -> triedAt[lane] = ++clock);
        notifyAll();
        return some;
    }

    private void count(Entry entry, int change) {
        BitSet own = entry.lanes(lanes);
        for (int lane = own.nextSetBit(0); lane >= 0; lane = own.nextSetBit(lane + 1)) {
            entries[lane] += change;
        }
    }

    /** Whether this is the thread that writes what is here. */
    boolean isServedHere() {
        return Thread.currentThread() == thread;
    }

    /**
     * The lanes that are here, and those that share a push with them: else what stands before that
     * push in such a lane might be written after it.
     */
    private BitSet lanesHere(Collection<Entry> pending) {
        BitSet here = (BitSet) kept.clone();
        for (int lane = 0; lane < lanes; lane++) {
            here.set(lane, here.get(lane) || entries[lane] > 0);
        }
        int before;
        do {
            before = here.cardinality();
            for (Entry entry : pending) {
                if (entry.lanes(lanes).intersects(here)) {
                    here.or(entry.lanes(lanes));
                }
            }
        } while (here.cardinality() > before);
        return here;
    }

    private void startThread() {
        if (thread == null) {
            Thread own = new Thread(this::run, "slipring-detour-" + ring);
            own.setDaemon(true);
            own.start();
            thread = own;
        }
    }

    private void run() {
        while (hasEntries()) {
            try {
                serve();
            } catch (RuntimeException | Error broken) {
                // Those that were being written were told. This thread goes on for the others, but
                // whatever breaks again and again keeps nobody for longer than he waits.
                writer.refuseForFault(all(), isClosing(), broken);
                BetweenTries.sleep(PAUSE_NANOS);
            }
            forgetOver();
        }
    }

    /** Waits for entries; false if none will come. */
    private synchronized boolean hasEntries() {
        return Unbroken.get(
                () -> {
                    while (waiting.isEmpty() && !closing) {
                        wait();
                    }
                    return !waiting.isEmpty();
                });
    }

    /**
     * Refuses entries that are late and were tried, writes what goes to free lanes, tries one that
     * is kept, and refuses late ones again: a try may take longer than they wait.
     */
    private void serve() {
        refuseLate(false);
        forgetOver();
        List<Entry> here = all();
        boolean last = isClosing();
        long until = System.nanoTime() + SERVICE_NANOS;
        try {
            List<Entry> free = next(NONE);
            while (!free.isEmpty() && (last || System.nanoTime() - until < 0)) {
                write(free);
                free = next(NONE);
            }
            int lane = nextKept();
            boolean going = lane == NONE || write(next(lane));
            if (!going) {
                refuseLate(last);
                BetweenTries.sleep(PAUSE_NANOS);
            }
        } catch (RingFull full) {
            writer.refuseForRoom(waiting(here), last, full);
            BetweenTries.sleep(PAUSE_NANOS);
        }
    }

    /** Refuses who can wait no longer and was tried in vain, or all that is left at the end. */
    private void refuseLate(boolean last) {
        BitSet needed = new BitSet();
        List<Entry> late = late(last, needed);
        writer.refuseForLanes(late, needed.stream().boxed().collect(Collectors.toSet()));
    }

    /** The entries to be refused; adds the kept lanes that hold them up. */
    private synchronized List<Entry> late(boolean last, BitSet needed) {
        List<Entry> late = new ArrayList<>();
        Behind behind = new Behind(lanes);
        for (Entry entry : waiting) {
            BitSet holding = behind.next(entry.lanes(lanes));
            if (last || entry.isLate() && isTried(holding, entry)) {
                late.add(entry);
                holding.stream().filter(kept::get).forEach(needed::set);
            }
        }
        return late;
    }

    /** Whether one of the lanes that hold an entry up was tried in vain since it came here. */
    private boolean isTried(BitSet holding, Entry entry) {
        return holding.stream()
                .anyMatch(lane -> kept.get(lane) && triedAt[lane] > entry.divertedAt());
    }

    /** Writes entries of the same lanes; false if others keep those. */
    private boolean write(List<Entry> group) {
        if (group.isEmpty()) {
            return true;
        }
        long now = tick();
        Set<Integer> keptNow = writer.write(group, patience(group));
        synchronized (this) {
            BitSet own = group.get(0).lanes(lanes);
            if (keptNow.isEmpty()) {
                kept.andNot(own);
            } else {
                // If the ring was made anew with more lanes, some of them have no number here.
                BitSet found = new BitSet();
                keptNow.stream().filter(lane -> lane < lanes).forEach(found::set);
                if (!own.intersects(found)) {
                    // Some other lane is in the way of every push, as in a ring that is nearly
                    // full.
                    found.or(own);
                }
                kept.or(found);
                found.stream().forEach(lane -> triedAt[lane] = now);
            }
        }
        forgetOver();
        writer.avoid(keptNow);
        return keptNow.isEmpty();
    }

    private synchronized long tick() {
        return ++clock;
    }

    /**
     * The first in order that go to the same lanes and stand behind no others there: to such as
     * nobody keeps, or to a lane that has its turn.
     */
    private synchronized List<Entry> next(int turn) {
        BitSet shut = turn == NONE ? (BitSet) kept.clone() : new BitSet();
        List<Entry> group = new ArrayList<>();
        for (Entry entry : waiting) {
            BitSet own = entry.lanes(lanes);
            boolean fits =
                    group.isEmpty()
                            ? turn == NONE || own.get(turn)
                            : own.equals(group.get(0).lanes(lanes));
            if (fits && !own.intersects(shut)) {
                group.add(entry);
            } else {
                shut.or(own);
            }
        }
        return writer.first(group);
    }

    /** The next by turns of the kept lanes that something waits for. */
    private synchronized int nextKept() {
        for (int i = 0; i < lanes; i++) {
            tried = (tried + 1) % lanes;
            if (kept.get(tried) && entries[tried] > 0) {
                return tried;
            }
        }
        return NONE;
    }

    /**
     * How long to wait for others. A push into several lanes would keep some of them meanwhile, so
     * at first it does not wait; where it never finds all of them free it has to.
     */
    private synchronized Duration patience(List<Entry> group) {
        Entry first = group.get(0);
        BitSet own = first.lanes(lanes);
        long now = System.nanoTime();
        boolean several = own.cardinality() > 1;
        if (several && now - first.divertedNanos() < LONGER.toNanos()) {
            return Duration.ZERO;
        }
        if (!several && entries[own.nextSetBit(0)] < waiting.size()) {
            return Writer.BRIEFLY;
        }
        long left = waiting.stream().mapToLong(entry -> entry.deadlineNanos - now).min().orElse(0);
        long most = Math.min(left, LONGER.toNanos());
        return Duration.ofNanos(Math.max(most, Writer.BRIEFLY.toNanos()));
    }

    /** What waits here, in order. */
    synchronized List<Entry> all() {
        return List.copyOf(waiting);
    }

    private synchronized List<Entry> waiting(List<Entry> some) {
        return some.stream().filter(waiting::contains).toList();
    }

    private synchronized boolean isClosing() {
        return closing;
    }

    private synchronized void forgetOver() {
        for (Iterator<Entry> each = waiting.iterator(); each.hasNext(); ) {
            Entry entry = each.next();
            if (entry.isOver()) {
                each.remove();
                count(entry, -1);
            }
        }
        isUsed = !waiting.isEmpty() || !kept.isEmpty();
    }

    /** Tries once more what waits, refuses what still cannot be written, and ends. */
    void close() {
        Thread server;
        synchronized (this) {
            closing = true;
            notifyAll();
            server = thread;
        }
        if (server != null) {
            Unbroken.join(List.of(server));
        }
    }
}
