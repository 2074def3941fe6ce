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

    /** Statements that make a queue. */
    List<String> making(SourceSystem system, Experiment experiment);

    /** The engine's time in seconds. */
    double now(Connection connection) throws SQLException;

    /** What people are to know before commits do not wait for the disk; empty if nothing. */
    default String warning(Target target) {
        return "";
    }

    /**
     * Commits do not wait for the disk from now on, where it leads to, until that is taken back.
     */
    Relaxed relax(Way way) throws SQLException;

    /**
     * Pushes or pops until a time.
     *
     * @return how many messages it moved
     */
    long move(
            Connection connection,
            SourceSystem system,
            boolean pushes,
            double until,
            Experiment experiment)
            throws SQLException;

    /** The way to a store. */
    @FunctionalInterface
    interface Way {

        /** A connection; whoever takes it closes it. */
        Connection connect() throws SQLException;
    }

    /** Takes back that commits do not wait. */
    @FunctionalInterface
    interface Relaxed extends AutoCloseable {

        /** What was relaxed goes with its place. */
        Relaxed FOR_GOOD = () -> {};

        @Override
        void close();
    }

    /** The queues on an engine of a name. */
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
