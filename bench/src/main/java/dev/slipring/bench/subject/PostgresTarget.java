// SPDX-License-Identifier: Apache-2.0
package dev.slipring.bench.subject;

import java.sql.SQLException;
import java.util.List;

/**
 * Rings, a table queue and bare COPY in databases that are made for it on the server that was
 * named.
 *
 * @param url what was named; its database is only used to make others
 */
record PostgresTarget(String url) implements Target {

    /** What can be measured, each in a database of its own. */
    private enum Kind {
        RING("slipring"),
        SKIP_LOCKED(Contender.SKIP_LOCKED),
        COPY("copy");

        private final String system;

        Kind(String system) {
            this.system = system;
        }
    }

    private record Queue(PostgresTarget target, Kind kind) implements Contender {

        @Override
        public String system() {
            return kind.system;
        }

        @Override
        public String option() {
            return "";
        }

        @Override
        public Place place() {
            return PostgresPlace.on(target.url, system());
        }

        @Override
        public Subject open(Place place, Plan plan) throws SQLException {
            PostgresPlace here = (PostgresPlace) place;
            return switch (kind) {
                case RING -> new RingSubject(here.url(), plan);
                case SKIP_LOCKED -> new SkipLockedSubject(here, plan);
                case COPY -> new CopySubject(here, plan);
            };
        }
    }

    @Override
    public String engine() {
        return "postgresql";
    }

    @Override
    public List<Contender> contenders() {
        return List.of(new Queue(this, Kind.RING), new Queue(this, Kind.SKIP_LOCKED));
    }

    @Override
    public List<Contender> variants() {
        return List.of(
                new Queue(this, Kind.RING),
                new Queue(this, Kind.SKIP_LOCKED),
                new Queue(this, Kind.COPY));
    }

    @Override
    public long mostWaiting() {
        return Long.MAX_VALUE;
    }

    @Override
    public String fileSystem() {
        return "the server's";
    }
}
