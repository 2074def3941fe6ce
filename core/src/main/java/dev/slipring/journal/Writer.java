// SPDX-License-Identifier: Apache-2.0
package dev.slipring.journal;

import dev.slipring.LaneKept;
import dev.slipring.Message;
import dev.slipring.OutcomeUnknown;
import dev.slipring.RingFull;
import dev.slipring.SlipringException;
import dev.slipring.StoreFailed;
import dev.slipring.engine.BetweenTries;
import dev.slipring.engine.Store;
import dev.slipring.waiting.Signal;
import dev.slipring.watch.Watcher;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.function.Predicate;

/**
 * Writes pushes, several in one transaction, and tells who asked for them. Used by one thread at a
 * time.
 */
final class Writer {

    /** How long to wait for a lane that others keep, if more pushes wait behind. */
    static final Duration BRIEFLY = BetweenTries.OTHERS;

    /** A transaction that large is not made larger. */
    private static final long MAX_BYTES = 4 << 20;

    private static final int MAX_MESSAGES = 16_384;

    private final String ring;
    private final Producer producer;
    private final GateHolders holders;
    private final Intake intake;
    private final Signal signal;
    private final Watcher watcher;
    private final Consumer<Entry> ended;

    /** How large the push was for which there was no room when one was last tried alone. */
    private int triedMessages;

    private long triedBytes;

    /**
     * Writes what an intake took to the ring with that name.
     *
     * @param ended is shown each entry that is over
     */
    Writer(
            Store store,
            String ring,
            int lanes,
            Intake intake,
            Signal signal,
            Watcher watcher,
            Consumer<Entry> ended) {
        this.ring = ring;
        this.producer = new Producer(store, ring, lanes);
        this.holders = new GateHolders(store, ring);
        this.intake = intake;
        this.signal = signal;
        this.watcher = watcher;
        this.ended = ended;
    }

    /** The first of what waits: as many as go into one transaction. */
    List<Entry> first(Collection<Entry> waiting) {
        return first(waiting, MAX_MESSAGES, MAX_BYTES);
    }

    private List<Entry> first(Collection<Entry> waiting, long maxMessages, long maxBytes) {
        List<Entry> group = new ArrayList<>();
        long messages = 0;
        long bytes = 0;
        for (Entry entry : waiting) {
            messages += entry.messages.size();
            bytes += entry.slotBytes();
            if (!group.isEmpty() && (messages > maxMessages || bytes > maxBytes)) {
                break;
            }
            group.add(entry);
        }
        return group;
    }

    /**
     * Writes entries in one transaction, or the first of them if there is not room for all; what
     * the store refuses is over too.
     *
     * @param patience about how long to wait for others who keep a lane
     * @return lanes that others keep, if that is why nothing was written; else none
     * @throws RingFull if there is not room for the first
     */
    Set<Integer> write(List<Entry> group, Duration patience) {
        try {
            return push(group, patience);
        } catch (RingFull full) {
            if (group.size() == 1) {
                triedMessages = group.get(0).messages.size();
                triedBytes = group.get(0).bytes;
                throw full;
            }
            List<Entry> fitting = first(group, full.freeMessages(), full.freeBytes());
            return write(fitting.size() < group.size() ? fitting : fitting.subList(0, 1), patience);
        }
    }

    private Set<Integer> push(List<Entry> group, Duration patience) {
        long start = System.nanoTime();
        try {
            List<Message> messages = messagesOf(group);
            Set<Integer> kept = producer.push(messages, patience);
            if (kept.isEmpty()) {
                long took = System.nanoTime() - start;
                long bytes = group.stream().mapToLong(entry -> entry.bytes).sum();
                watcher.pushed(messages.size(), bytes, took);
                end(group, null);
                signal.raise();
            }
            return kept;
        } catch (RingFull full) {
            throw full;
        } catch (SlipringException failed) {
            watcher.storeFailed(failed);
            end(group, failed);
        } catch (RuntimeException failed) {
            end(group, failed);
        } catch (Error broken) {
            // Callers must not wait for ever, whatever it was.
            end(group, broke(broken));
            throw broken;
        }
        return Set.of();
    }

    private OutcomeUnknown broke(Error broken) {
        return new OutcomeUnknown(
                "the push to ring '"
                        + ring
                        + "' broke ("
                        + broken
                        + "), and may or may not be stored",
                broken);
    }

    private static List<Message> messagesOf(List<Entry> group) {
        if (group.size() == 1) {
            return group.get(0).messages;
        }
        List<Message> messages = new ArrayList<>();
        group.forEach(entry -> messages.addAll(entry.messages));
        return messages;
    }

    /** Puts messages without a key into another lane if others keep theirs; false if they stay. */
    boolean avoid(Set<Integer> kept) {
        return producer.avoid(kept);
    }

    /** There is no room: refuses all who can wait no longer, or for ever; false if nobody is. */
    boolean refuseForRoom(Collection<Entry> waiting, boolean all, RingFull full) {
        Predicate<Entry> fits = producer.fitsEmpty();
        List<Entry> late =
                waiting.stream()
                        .filter(entry -> all || entry.isLate() || !fits.test(entry))
                        .toList();
        if (!late.isEmpty()) {
            late.forEach(entry -> watcher.full(entry.messages.size()));
            RingFull named = holders.named(full);
            late.forEach(entry -> end(List.of(entry), asBehind(entry, named)));
        }
        return !late.isEmpty();
    }

    /** The refusal speaks of the push that was tried, which another may only have waited behind. */
    private RingFull asBehind(Entry entry, RingFull tried) {
        int messages = entry.messages.size();
        if (messages == triedMessages && entry.bytes == triedBytes) {
            return tried;
        }
        String words =
                "a push of "
                        + (messages == 1 ? "1 message" : messages + " messages")
                        + " waited behind another: ";
        return new RingFull(words + tried.getMessage(), tried.freeMessages(), tried.freeBytes());
    }

    /** Something broke before anything of them was written: refuses who can wait no longer. */
    void refuseForFault(Collection<Entry> waiting, boolean all, Throwable broken) {
        StoreFailed fault = new StoreFailed("a push to ring '" + ring + "' broke", broken);
        watcher.storeFailed(fault);
        end(waiting.stream().filter(entry -> all || entry.isLate()).toList(), fault);
    }

    /** Refuses those who can wait no longer for lanes that others keep; false if nobody is. */
    boolean refuseForLanes(Collection<Entry> late, Set<Integer> kept) {
        if (!late.isEmpty()) {
            LaneKept refusal = keptBySomebody(kept);
            watcher.storeFailed(refusal);
            end(late, refusal);
        }
        return !late.isEmpty();
    }

    private LaneKept keptBySomebody(Set<Integer> kept) {
        String lanes = new TreeSet<>(kept).toString();
        return new LaneKept(
                "nothing of this push is stored: ring '"
                        + ring
                        + "' has lanes that are kept ("
                        + lanes.substring(1, lanes.length() - 1)
                        + ") by a transaction that is still open; end that, or push with a longer"
                        + " time-out",
                kept);
    }

    private void end(Collection<Entry> group, RuntimeException refusal) {
        for (Entry entry : group) {
            // Some are over already if telling one of them broke.
            if (!entry.isOver()) {
                intake.free(entry);
                entry.end(refusal);
                ended.accept(entry);
            }
        }
    }
}
