// SPDX-License-Identifier: Apache-2.0
package dev.slipring.bench.subject;

import java.util.List;

/** Rings in memory; there is nothing to compare them with. */
final class MemoryTarget implements Target {

    /** As many as a small heap holds. */
    private static final long MOST_WAITING = 100_000;

    /**
     * A place for a ring in memory: it keeps the ring itself until it is closed, as nothing else
     * could find it again.
     */
    private static final class Nowhere implements Place {

        private RingSubject ring;

        RingSubject ring(Plan plan) {
            if (ring == null) {
                ring = new RingSubject("memory:", plan);
            }
            return ring;
        }

        @Override
        public String fingerprint() {
            return "";
        }

        @Override
        public void close() {
            if (ring != null) {
                ring.close();
            }
        }
    }

    /** A ring that stays open when it is closed. */
    private static final class Staying extends ForwardingSubject {

        Staying(RingSubject ring) {
            super(ring);
        }

        @Override
        public void close() {
            // Nothing: its place closes it.
        }
    }

    /** A ring in memory. */
    private record MemoryRing() implements Contender {

        @Override
        public String system() {
            return RING;
        }

        @Override
        public Place place() {
            return new Nowhere();
        }

        @Override
        public Subject open(Place place, Plan plan) {
            return new Staying(((Nowhere) place).ring(plan));
        }
    }

    @Override
    public String engine() {
        return "memory";
    }

    @Override
    public List<Contender> contenders() {
        return List.of(new MemoryRing());
    }

    @Override
    public long mostWaiting() {
        return MOST_WAITING;
    }
}
