// SPDX-License-Identifier: Apache-2.0
package dev.slipring.bench.subject;

import java.util.List;

/** Rings in memory; there is nothing to compare them with. */
final class MemoryTarget implements Target {

    /** What a small heap holds. */
    private static final long MOST_WAITING = 100_000;

    /** Nowhere. */
    private record Nowhere() implements Place {

        @Override
        public String fingerprint() {
            return "";
        }

        @Override
        public void close() {
            // Nothing is left of a ring in memory.
        }
    }

    /** A ring in memory. */
    private record MemoryRing() implements Contender {

        @Override
        public String system() {
            return "slipring";
        }

        @Override
        public String option() {
            return "";
        }

        @Override
        public Place place() {
            return new Nowhere();
        }

        @Override
        public Subject open(Place place, Plan plan) {
            return new RingSubject("memory:", plan);
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
    public List<Contender> variants() {
        return contenders();
    }

    @Override
    public long mostWaiting() {
        return MOST_WAITING;
    }

    @Override
    public String fileSystem() {
        return "";
    }
}
