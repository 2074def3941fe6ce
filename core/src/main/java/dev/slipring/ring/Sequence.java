// SPDX-License-Identifier: Apache-2.0
package dev.slipring.ring;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A number that only grows: it says how far a producer or a consumer is in a ring, and with that
 * how far others may go. Indices begin at 0; {@link RingQueue#get} has the slot of each.
 *
 * <p>{@link #next} gives an index to use, {@link #done} passes it on to those that follow. A
 * producer gets an index when all that end its circle are done with what was in the slot before; a
 * consumer gets one when all that it follows are done with it.
 */
public abstract sealed class Sequence extends CacheLines.After
        permits SingleSequence, MultiSequence {

    /** There is nothing to use now: the ring is full, for a producer, or empty. */
    public static final long NONE = -1;

    /** Another thread was faster; try again. */
    public static final long LOST = -2;

    /** There will never be anything to use again. */
    public static final long CLOSED = -3;

    static final VarHandle VALUE;
    static final VarHandle LIMIT;
    private static final AtomicInteger MADE = new AtomicInteger();

    static {
        try {
            MethodHandles.Lookup lookup = MethodHandles.lookup();
            VALUE = lookup.findVarHandle(CacheLines.Value.class, "value", long.class);
            LIMIT = lookup.findVarHandle(CacheLines.Limit.class, "limit", long.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    final Bell bell = new Bell(this);
    private final boolean producer;
    private final int number = MADE.incrementAndGet();
    private volatile Circuit circuit;
    private volatile Waiting waiting = Waiting.PARK;

    Sequence(boolean producer) {
        this.producer = producer;
    }

    /**
     * The next index to use, without waiting.
     *
     * @return the index; {@link #NONE}, {@link #LOST} or {@link #CLOSED}
     * @throws IllegalStateException if the graph is wrong
     */
    public abstract long next();

    /**
     * The next so many indices, all or none. For producers; a consumer uses {@link #next(Range,
     * int)}, as there may be fewer left.
     *
     * @param n 1 to the capacity
     * @return the first; {@link #NONE}, {@link #LOST} or {@link #CLOSED}
     */
    public abstract long next(int n);

    /**
     * As many as there are of the next indices, at least one.
     *
     * @param range gets the first and the last
     * @param most how many at most, 1 or more
     * @return the first; {@link #NONE}, {@link #LOST} or {@link #CLOSED}
     */
    public abstract long next(Range range, int most);

    /**
     * An index is done: where one thread has the sequence for itself, with all before it; where
     * several share it, this index alone, and {@link #done(long, long)} is for a range.
     */
    public abstract void done(long cursor);

    /** A range of indices is done, from the first to the last, both included. */
    public abstract void done(long first, long last);

    /** A range of indices is done. */
    public final void done(Range range) {
        done(range.first(), range.last());
    }

    /**
     * Behind {@link #next()}: the end of what may be used at once, exclusive. For a batch: use the
     * slots from the index up to here, then say {@code done(available - 1)}. A batch is a quarter
     * of the ring at most, or a sixteenth where there are more threads than processors, so that
     * others can go on meanwhile.
     *
     * @throws UnsupportedOperationException if several threads share the sequence; they claim their
     *     batches by {@link #next(int)} and {@link #next(Range, int)}
     */
    public abstract long available();

    /**
     * The next index; waits for it, as {@link #waiting} says. In a loop this alone is faster than
     * {@link #next} first: it does not chase after the last index but lets some come together.
     *
     * @return the index, or {@link #CLOSED}
     */
    public final long waitForNext() throws InterruptedException {
        long known = nextKnown();
        return known >= 0 ? known : waitLooking(1, Long.MAX_VALUE);
    }

    /**
     * The next so many indices; waits for them. More than one is for producers: a consumer would
     * wait in vain where a closed ring has fewer left, and uses {@link #waitForNext(Range, int,
     * long)}.
     *
     * @param n 1 to the capacity
     * @param nanos how long at most; zero or less for not at all
     * @return the first; {@link #CLOSED}, or {@link #NONE} if the time is over
     * @throws IllegalArgumentException if {@code n} is less than 1 or more than the capacity
     */
    public final long waitForNext(int n, long nanos) throws InterruptedException {
        long known = NONE;
        if (n == 1) {
            known = nextKnown();
        } else {
            // A thread that waits for more than the ring has would never be woken.
            checkSize(n);
        }
        return known >= 0 ? known : waitLooking(n, nanos);
    }

    private long waitLooking(int n, long nanos) throws InterruptedException {
        long deadline = Waiting.deadline(nanos);
        boolean inTime = true;
        while (true) {
            inTime = inTime && waiting.await(this, n, deadline);
            long first = next(n);
            if (first >= 0 || first == CLOSED || first == NONE && !inTime) {
                return first;
            }
            if (first == LOST) {
                standBack();
            }
        }
    }

    /**
     * As many as there are of the next indices, at least one; waits for it.
     *
     * @param range gets the first and the last
     * @param most how many at most, 1 or more
     * @param nanos how long at most; zero or less for not at all
     * @return the first; {@link #CLOSED}, or {@link #NONE} if the time is over
     * @throws IllegalArgumentException if {@code most} is less than 1
     */
    public final long waitForNext(Range range, int most, long nanos) throws InterruptedException {
        checkMost(most);
        long deadline = Waiting.deadline(nanos);
        boolean inTime = true;
        while (true) {
            inTime = inTime && waiting.await(this, 1, deadline);
            long first = next(range, most);
            if (first >= 0 || first == CLOSED || first == NONE && !inTime) {
                return first;
            }
            if (first == LOST) {
                standBack();
            }
        }
    }

    /** Lets others claim, if another was faster. */
    void standBack() {}

    /** The next index, if it is known to be free; a negative number otherwise. */
    abstract long nextKnown();

    /** Says how those who use this sequence wait; before they do. */
    public final void waiting(Waiting how) {
        waiting = Objects.requireNonNull(how, "how");
    }

    /**
     * Ends the circle that this stands in, at once and for all: every {@code next} is {@link
     * #CLOSED} from now on, and all who wait are told. Any thread may call it.
     *
     * @param reason what is wrong; null if nothing is
     */
    public final void stop(Throwable reason) {
        circuit().stop(reason);
    }

    /** Why the circle was {@linkplain #stop stopped}; null if it was not, or without a reason. */
    public final Throwable failure() {
        Circuit now = circuit;
        return now == null ? null : now.failure();
    }

    /**
     * Has a chain follow some place of the running graph of this producer, beside what is there,
     * from the next index on. The chain ends at the producer.
     *
     * @param after a place in this producer's graph
     * @param chain the last sequence or FanOut of a chain that has no place in a graph
     * @throws IllegalStateException if either is not so
     */
    public final void join(Barrier after, Barrier chain) {
        Joining.join(this, after, chain);
    }

    /**
     * Has a chain that {@linkplain #join joined} leave the running graph of this producer, or any
     * single stage: its sequences are {@link #CLOSED}, and those that followed it follow what it
     * followed. What its threads have in hand may be overwritten, so each should be between {@code
     * done} and {@code next}. What is in a {@link FanOut} may also go by {@link FanOut#remove}.
     *
     * @throws IllegalStateException if it is not in the graph, or the only one that reads the ring
     */
    public final void leave(Barrier chain) {
        Leaving.leave(this, chain);
    }

    /** Ends the stream, as a producer may. */
    void end() {
        throw new UnsupportedOperationException(this + " does not produce");
    }

    @Override
    public long current() {
        return (long) VALUE.getAcquire(this);
    }

    final boolean isProducer() {
        return producer;
    }

    final Circuit circuit() {
        Circuit now = circuit;
        return now != null ? now : Circuit.of(this);
    }

    final Circuit circuitIfAny() {
        return circuit;
    }

    /** Belongs to a circuit from now on. */
    final void enter(Circuit newCircuit) {
        circuit = newCircuit;
    }

    /** How many slots the ring has; 0 if this knows only what its producer knows. */
    abstract int capacity();

    /** Refuses to claim more indices at a time than the ring has slots. */
    abstract void checkSize(int n);

    /** Refuses a range of nothing. */
    static void checkMost(int most) {
        if (most < 1) {
            throw new IllegalArgumentException(most + " indices at most: use 1 or more");
        }
    }

    /** Begins behind an index. */
    abstract void position(long index);

    /** Whether so many indices could be claimed now, or never again. */
    abstract boolean isReady(long n);

    /**
     * Reads how far this may go from those that it waits for.
     *
     * @return the last index that may be used; {@link #CLOSED} if the circle was stopped
     */
    final long look() {
        Circuit around = circuit();
        if (producer) {
            // A stage that joins becomes a gate and then reads where we are; we are there and then
            // read who the gates are. Without a fence both could miss.
            VarHandle.fullFence();
        }
        long limit = (long) LIMIT.getAcquire(this);
        if (!around.isStopped()) {
            if (producer && around.end() != Long.MAX_VALUE) {
                return CLOSED;
            }
            long found = available(around, limit);
            if (found > limit) {
                raiseLimit(limit, found);
                limit = found;
                // Whoever stops the circuit sets the flag and then the limit; here it is the other
                // way around.
                VarHandle.fullFence();
            }
        }
        if (circuit().isStopped()) {
            lowerLimit();
            return CLOSED;
        }
        return limit;
    }

    /**
     * How far those that this waits for let it go. First is read which they are, then how far they
     * are. If a chain joins in between, the result may be beyond where it begins; if one leaves, it
     * may be that of a sequence that nobody uses any more.
     */
    private long available(Circuit around, long limit) {
        int room = room(around);
        while (true) {
            int changes = around.changes();
            Barrier upstream = upstream();
            long found = upstream == null ? limit : upstream.availableIndex() + room;
            if (around.changes() == changes) {
                return found;
            }
        }
    }

    /** Sets the limit, unless it is there by now. */
    abstract void raiseLimit(long before, long found);

    /** Takes back what {@link #raiseLimit} may have set after the circuit was stopped. */
    abstract void lowerLimit();

    private int room(Circuit around) {
        return producer ? around.capacity() : 0;
    }

    /** What this waits for to be able to use an index; null if it need not. */
    final Sequence slowest(long index) {
        Circuit around = circuit();
        Barrier upstream = upstream();
        return upstream == null || around.isStopped() || around.end() != Long.MAX_VALUE && producer
                ? null
                : upstream.lagging(bellIndex(index));
    }

    /** How far those that this waits for must be, for it to be able to use an index. */
    final long bellIndex(long index) {
        // The ringer asks this of consumers that may have no place in a graph just now.
        return producer ? index - room(circuit()) : index;
    }

    /**
     * How many threads could use an index, when those that this waits for are so far: the ringer
     * wakes no more than that.
     */
    abstract long usable(long reached);

    /** {@link #CLOSED} if there will never be an index, {@link #NONE} if there is none now. */
    final long none(long index) {
        return index > circuit().end() ? CLOSED : NONE;
    }

    @Override
    public String toString() {
        return getClass().getSimpleName() + " " + number;
    }
}
