// SPDX-License-Identifier: Apache-2.0
package dev.slipring.ring;

import java.util.HashMap;
import java.util.Map;
import java.util.Set;

/**
 * A graph that is wired and runs: what all its sequences share. It comes into being, and is
 * checked, when one of them is used for the first time.
 */
final class Circuit {

    /** Where sequences are that have left their graph; they may ask for as many as ever. */
    static final Circuit LEFT = new Circuit(null, 1 << 30, false);

    /** In how many batches a ring is used where each thread has a processor. */
    static final int PIECES = 4;

    /** In how many where threads take turns: with smaller ones the next has something sooner. */
    private static final int PIECES_CROWDED = 16;

    private final Sequence producer;
    private final int capacity;
    private final int batch;
    private final boolean crowded;
    private final Map<Barrier, Barrier> joined = new HashMap<>();
    private volatile int changes;
    private volatile long end = Long.MAX_VALUE;
    private volatile boolean stopped;
    private volatile Throwable failure;

    private Circuit(Sequence producer, int capacity, boolean crowded) {
        this.producer = producer;
        this.capacity = capacity;
        this.batch = Math.max(capacity / (crowded ? PIECES_CROWDED : PIECES), 1);
        this.crowded = crowded;
        this.stopped = producer == null;
    }

    /** The circuit of a sequence, made if it is used for the first time. */
    static Circuit of(Sequence sequence) {
        synchronized (Barrier.WIRING) {
            Circuit before = sequence.circuitIfAny();
            if (before != null) {
                return before;
            }
            Inspection inspection = new Inspection(sequence);
            Set<Sequence> members = inspection.members();
            int threads =
                    members.stream().mapToInt(each -> each instanceof MultiSequence ? 2 : 1).sum();
            Circuit circuit =
                    new Circuit(
                            inspection.producer(),
                            inspection.producer().capacity(),
                            threads > Runtime.getRuntime().availableProcessors());
            members.forEach(circuit::checkCapacity);
            members.forEach(member -> member.enter(circuit));
            return circuit;
        }
    }

    /** The circuit that a barrier has its place in; null if there is none yet, or none any more. */
    static Circuit around(Barrier barrier) {
        Barrier at = barrier;
        while (at instanceof FanOut fanOut) {
            at = fanOut.above();
        }
        Circuit found = at == null ? null : ((Sequence) at).circuitIfAny();
        return found == LEFT ? null : found;
    }

    /** Refuses a sequence that was made for a ring of another size. */
    void checkCapacity(Sequence member) {
        if (member.capacity() != 0 && member.capacity() != capacity) {
            throw new IllegalStateException(
                    member
                            + " is made for a ring of "
                            + member.capacity()
                            + " slots, but "
                            + producer
                            + " for one of "
                            + capacity
                            + ": use one capacity");
        }
    }

    int capacity() {
        return capacity;
    }

    /** How many indices are used in one go, so that others can go on meanwhile. */
    int batch() {
        return batch;
    }

    /** Whether there are more threads than processors, as far as can be known. */
    boolean isCrowded() {
        return crowded;
    }

    /** For each chain that joined beside the wired graph, what it follows; under the lock. */
    Map<Barrier, Barrier> joined() {
        return joined;
    }

    /** How many chains have become gates so far, or are none any more. */
    int changes() {
        return changes;
    }

    /** A chain has become a gate, or is none any more; under the lock. */
    void hasChanged() {
        changes = changes + 1;
    }

    /** The last index that there will ever be. */
    long end() {
        return end;
    }

    /** There will be nothing behind an index. */
    void end(long last) {
        end = last;
        ringAll();
    }

    boolean isStopped() {
        return stopped;
    }

    Throwable failure() {
        return failure;
    }

    void stop(Throwable reason) {
        synchronized (Barrier.WIRING) {
            if (producer == null || stopped) {
                return;
            }
            failure = reason;
            stopped = true;
            for (Sequence member : Inspection.all(producer, Sequence.class)) {
                Sequence.LIMIT.setVolatile(member, Sequence.CLOSED);
            }
            ringAll();
        }
    }

    /** The FanOuts of the graph as it is. */
    Set<FanOut> fanOuts() {
        return Inspection.all(producer, FanOut.class);
    }

    /** Wakes all who wait. */
    void ringAll() {
        synchronized (Barrier.WIRING) {
            Inspection.all(producer, Sequence.class).forEach(member -> member.bell.ringAll());
        }
    }
}
