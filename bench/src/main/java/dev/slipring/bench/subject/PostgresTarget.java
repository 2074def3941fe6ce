// SPDX-License-Identifier: Apache-2.0
package dev.slipring.bench.subject;

import dev.slipring.engine.Engines;
import dev.slipring.engine.Opening;
import dev.slipring.engine.Waits;

import java.sql.SQLException;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Rings, other queues and bare COPY, in databases that are made for them on the server of the URL;
 * PgQ if the server has it.
 *
 * @param url the URL that was given; its database is only used to make others
 */
record PostgresTarget(String url) implements Target {

    /** What can be measured, each in a database of its own. */
    private enum Kind {
        RING(Contender.RING),
        SKIP_LOCKED(Contender.SKIP_LOCKED),
        PGQ("pgq"),
        DB_SCHEDULER("db-scheduler"),
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
        public Place place() {
            return PostgresPlace.on(target.url, system());
        }

        @Override
        public Place placed(String name) {
            return PostgresPlace.placed(target.url, name);
        }

        @Override
        public Subject open(Place place, Plan plan) throws SQLException {
            PostgresPlace here = (PostgresPlace) place;
            return switch (kind) {
                case RING -> new RingSubject(here.url(), plan);
                case SKIP_LOCKED -> new SkipLockedSubject(here, plan);
                case PGQ -> new PgqSubject(here, plan);
                case DB_SCHEDULER -> new DbSchedulerSubject(here, plan);
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
        return queues(Kind.RING, Kind.SKIP_LOCKED, Kind.PGQ);
    }

    private List<Contender> queues(Kind... kinds) {
        return Stream.of(kinds)
                .filter(kind -> kind != Kind.PGQ || PostgresPlace.offers(url, "pgq"))
                .map(kind -> (Contender) new Queue(this, kind))
                .toList();
    }

    @Override
    public List<Contender> variants() {
        return queues(Kind.values());
    }

    @Override
    public List<Contender> handlers() {
        return queues(Kind.RING, Kind.SKIP_LOCKED, Kind.PGQ, Kind.DB_SCHEDULER);
    }

    @Override
    public List<Contender> shared() {
        return handlers();
    }

    @Override
    public List<Contender> joining() {
        return contenders();
    }

    @Override
    public long mostWaiting() {
        return Long.MAX_VALUE;
    }

    @Override
    public Optional<Waits> waits() {
        return Optional.of(Engines.byUrl(url).waits(Opening.of(url)));
    }

    @Override
    public String server() {
        return PostgresPlace.text(
                url,
                "SELECT string_agg(format('`%s` %s', name, current_setting(name)), ', '"
                        + " ORDER BY name)"
                        + " FROM pg_settings WHERE name IN ('server_version', 'shared_buffers',"
                        + " 'max_wal_size', 'fsync', 'synchronous_commit')");
    }

    @Override
    public String fileSystem() {
        return "the server's";
    }
}
