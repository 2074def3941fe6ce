// SPDX-License-Identifier: Apache-2.0
package dev.slipring.postgresql;

import dev.slipring.engine.Slot;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The bodies of large slots that this process pushed lately, up to 16 MiB, so that a claim of them
 * need not bring them back. A slot is known by its producer, the number of the push and its lane,
 * which never come again, whatever becomes of the server. Any thread; one at a time pushes for a
 * producer.
 */
final class OwnBodies {

    /** A body of so many bytes comes with the row of its slot, at no cost. */
    static final int SMALL = 8000;

    private static final long MOST_BYTES = 16L << 20;

    private final Map<String, Own> rings = new HashMap<>();
    private final Deque<Body> oldest = new ArrayDeque<>();
    private long bytes;

    /** The large slots of the last pushes to a ring by one producer, without a gap. */
    private static final class Own {

        private final long producer;
        private final Deque<Body> bodies = new ArrayDeque<>();

        /**
         * The number of a push: until somebody claims that or a later one nothing is kept, because
         * earlier bodies were pushed out before anybody asked for them; 0 if everything is kept.
         */
        private long behind;

        Own(long producer) {
            this.producer = producer;
        }
    }

    private static final class Body {

        private final Own of;
        private final Slot slot;
        private volatile boolean wanted;

        Body(Own of, Slot slot) {
            this.of = of;
            this.slot = slot;
        }

        boolean isOfPush(Body other) {
            return of == other.of && slot.number() == other.slot.number();
        }
    }

    /** What was kept of a ring at one moment. It stays the same, whatever is forgotten later. */
    final class View {

        private final Own own;
        private final List<Body> bodies;

        private View(Own own) {
            this.own = own;
            this.bodies = own == null ? List.of() : List.copyOf(own.bodies);
        }

        /** Who pushed it; null if nobody did. */
        Long producer() {
            return own == null ? null : own.producer;
        }

        /** The number of the first push whose large slots are all here. */
        long from() {
            return bodies.isEmpty() ? 1 : bodies.get(0).slot.number();
        }

        /** The number of the last one; less than that of the first if there is none. */
        long to() {
            return bodies.isEmpty() ? 0 : bodies.get(bodies.size() - 1).slot.number();
        }

        /** The body of a large slot of one of these pushes. */
        byte[] body(int lane, long number) {
            for (int i = firstOf(number); i < bodies.size(); i++) {
                Body body = bodies.get(i);
                if (body.slot.lane() == lane && body.slot.number() == number) {
                    body.wanted = true;
                    return body.slot.body();
                }
            }
            throw new IllegalStateException("push " + number + " to lane " + lane + " is not here");
        }

        /** A slot of a push of that producer was claimed. */
        void claimed(long number) {
            synchronized (OwnBodies.this) {
                if (number >= own.behind) {
                    own.behind = 0;
                }
            }
        }

        private int firstOf(long number) {
            int low = 0;
            int high = bodies.size();
            while (low < high) {
                int middle = (low + high) >>> 1;
                if (bodies.get(middle).slot.number() < number) {
                    low = middle + 1;
                } else {
                    high = middle;
                }
            }
            return low;
        }
    }

    /** What is here of a ring. */
    synchronized View of(String ring) {
        return new View(rings.get(ring));
    }

    /** A push to a ring was made, with all its slots. Producer 0 numbers nothing. */
    synchronized void keep(String ring, List<Slot> slots) {
        long producer = slots.get(0).producer();
        if (producer == 0) {
            return;
        }
        Own own = rings.get(ring);
        if (own == null || own.producer != producer) {
            forget(ring);
            own = new Own(producer);
            rings.put(ring, own);
        }
        if (own.behind != 0) {
            return;
        }
        if (slots.stream().map(Slot::lane).distinct().count() < slots.size()) {
            // Two slots of one push in the same lane could not be told apart.
            forget(ring);
            return;
        }
        for (Slot slot : slots) {
            if (slot.body().length > SMALL) {
                Body body = new Body(own, slot);
                own.bodies.add(body);
                oldest.add(body);
                bytes += slot.body().length;
            }
        }
        while (bytes > MOST_BYTES) {
            forgetOldest();
        }
    }

    private void forgetOldest() {
        Body first = oldest.peek();
        boolean wanted = false;
        while (!oldest.isEmpty() && oldest.peek().isOfPush(first)) {
            Body gone = oldest.remove();
            gone.of.bodies.remove();
            bytes -= gone.slot.body().length;
            wanted |= gone.wanted;
        }
        if (!wanted) {
            Own own = first.of;
            Body last = own.bodies.isEmpty() ? first : own.bodies.getLast();
            own.behind = last.slot.number();
            forget(own);
        }
    }

    /** Forgets what is here of a ring, as where nobody knows whether a push was made. */
    synchronized void forget(String ring) {
        Own own = rings.remove(ring);
        if (own != null) {
            forget(own);
        }
    }

    private void forget(Own own) {
        own.bodies.forEach(body -> bytes -= body.slot.body().length);
        own.bodies.clear();
        oldest.removeIf(body -> body.of == own);
    }
}
