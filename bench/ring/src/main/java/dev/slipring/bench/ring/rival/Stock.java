// SPDX-License-Identifier: Apache-2.0
package dev.slipring.bench.ring.rival;

import dev.slipring.bench.ring.contest.Event;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/**
 * The messages of one producer into a queue of references, made once and written in turn: no more
 * of them than may be in the queue and in hands at a time, so that they take the memory of a ring's
 * slots. Each producer needs its own, as it may be the one who fills the queue.
 */
final class Stock {

    private static final long FREE = -1;
    private static final VarHandle VALUE;

    static {
        try {
            VALUE = MethodHandles.lookup().findVarHandle(Event.class, "value", long.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    private final Event[] events;
    private int at;

    private Stock(int size) {
        events = new Event[size];
        for (int i = 0; i < size; i++) {
            events[i] = new Event();
            events[i].value = FREE;
        }
    }

    /**
     * For one consumer. When a message went into the queue, the one that was a capacity before it
     * had been taken out, and the one before that was done with. So the message that is written
     * next may be the one a capacity and two before it.
     */
    static Stock forOne(int capacity) {
        return new Stock(capacity + 2);
    }

    /**
     * For workers that share the messages. One of them may be left behind with a message by all
     * others, so each says that it is done with one, and one that is in its hands is passed over.
     */
    static Stock forPool(int capacity, int workers) {
        return new Stock(capacity + workers + 1);
    }

    /** The one whose turn it is. */
    Event next() {
        Event event = events[at];
        at = at + 1 == events.length ? 0 : at + 1;
        return event;
    }

    /** The next one that nobody has. */
    Event nextThatIsFree() {
        Event event = next();
        while ((long) VALUE.getAcquire(event) != FREE) {
            event = next();
        }
        return event;
    }

    /** A worker is done with it. */
    static void free(Event event) {
        VALUE.setRelease(event, FREE);
    }
}
