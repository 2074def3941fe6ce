// SPDX-License-Identifier: Apache-2.0
package dev.slipring.bench.ring.rival;

import dev.slipring.bench.ring.contest.Event;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/**
 * The messages that one producer puts into a queue of references, made once and written in turn.
 * There are only as many as can be in the queue and in use at a time, so that they take as much
 * memory as a ring's slots. Each producer needs a stock of its own, as it may fill the queue alone.
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
     * A stock for one consumer. When a message goes into the queue, the message that went in {@code
     * capacity} messages before it has been taken out, and the consumer is done with the one before
     * that. So the next message to write may be the one {@code capacity} and two before it.
     */
    static Stock forOne(int capacity) {
        return new Stock(capacity + 2);
    }

    /**
     * A stock for workers that share the messages. One worker may still use a message when all
     * others are far ahead. So workers mark each message that they are done with, and messages in
     * use are passed over.
     */
    static Stock forPool(int capacity, int workers) {
        return new Stock(capacity + workers + 1);
    }

    /** The message whose turn it is. */
    Event next() {
        Event event = events[at];
        at = at + 1 == events.length ? 0 : at + 1;
        return event;
    }

    /** The next message that no worker uses. */
    Event nextThatIsFree() {
        Event event = next();
        while ((long) VALUE.getAcquire(event) != FREE) {
            event = next();
        }
        return event;
    }

    /** Marks a message that a worker is done with. */
    static void free(Event event) {
        VALUE.setRelease(event, FREE);
    }
}
