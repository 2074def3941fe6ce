// SPDX-License-Identifier: Apache-2.0
package dev.slipring.bench.sources;

import dev.slipring.bench.subject.Target;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;

/** How the texts' queues are made on an engine, and how their messages are moved. */
interface SourceEngine {

    /** The queues. */
    List<SourceSystem> systems(long slots);

    /** The statements that make a queue. */
    List<String> making(SourceSystem system, Experiment experiment);

    /** The engine's time in seconds. */
    double now(Connection connection) throws SQLException;

    /** What users have to know before commits no longer wait for the disk; empty if nothing. */
    default String warning(Target target) {
        return "";
    }

    /**
     * From now on commits in the store at the end of this way do not wait for the disk, until that
     * is taken back.
     */
    Relaxed relax(Way way) throws SQLException;

    /**
     * Pushes or pops from now on to the end of a span.
     *
     * @return how many messages it moved within the span
     */
    long move(
            Connection connection,
            SourceSystem system,
            boolean pushes,
            Span span,
            Experiment experiment)
            throws SQLException;

    /** How to connect to a store. */
    @FunctionalInterface
    interface Way {

        /** A new connection; the caller closes it. */
        Connection connect() throws SQLException;
    }

    /** Makes commits wait for the disk again when closed. */
    @FunctionalInterface
    interface Relaxed extends AutoCloseable {

        /** Nothing to take back: what was relaxed goes away with its place. */
        Relaxed FOR_GOOD = () -> {};

        @Override
        void close();
    }

    /** The queues on the engine with this name. */
    static SourceEngine of(String engine) {
        return switch (engine) {
            case "mariadb" -> new MySqlSources(true);
            case "mysql" -> new MySqlSources(false);
            case "postgresql" -> new PostgresSources();
            case "sqlite" -> new SqliteSources();
            default ->
                    throw new IllegalArgumentException(
                            "the sources' experiments run on MariaDB, MySQL, PostgreSQL and SQLite;"
                                    + " name one with --url");
        };
    }
}
