// SPDX-License-Identifier: Apache-2.0
package dev.slipring.kit;

import dev.slipring.ManualClock;
import dev.slipring.Options;
import dev.slipring.Slipring;
import dev.slipring.engine.Capability;

import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/**
 * An empty store for one test. An engine supplies its URL and, if it has them, its JDBC
 * connections.
 */
public abstract class Testbed implements AutoCloseable {

    private final ManualClock clock = new ManualClock(Instant.parse("2026-01-01T00:00:00Z"));
    private final List<Slipring> opened = new ArrayList<>();

    /** A testbed with nothing open. */
    protected Testbed() {}

    /** The store's URL, with all that another process needs to open the same store. */
    public abstract String url();

    /**
     * A JDBC connection of the test's own to the store, which the test closes; only where {@link
     * Capability#JOIN} is declared. Its user may create a table, named {@code effect}.
     */
    public Connection connect() throws SQLException {
        throw new UnsupportedOperationException("this engine has no JDBC connections");
    }

    /**
     * A query whose last column, summed over its rows, changes with every write to the store, as
     * long as it is asked on one connection; only where {@link Capability#DURABLE} is declared.
     */
    public String writes() {
        throw new UnsupportedOperationException("this engine writes to nothing that lasts");
    }

    /** Opens the store, on a clock that the test moves if the engine can. */
    public Slipring open() {
        return open(options());
    }

    /** How the store is opened on that clock. */
    Options options() {
        return Options.url(url()).clock(clock);
    }

    /** Opens the store. */
    public Slipring open(Options options) {
        Slipring slipring = Slipring.open(options);
        opened.add(slipring);
        return slipring;
    }

    /** A lease short enough to wait for, and long enough for some calls on a slow machine. */
    public Duration lease(Slipring slipring) {
        return moves(slipring) ? Duration.ofSeconds(30) : Duration.ofSeconds(5);
    }

    /** Lets time pass for the store. */
    public void pass(Slipring slipring, Duration time) {
        if (moves(slipring)) {
            clock.advance(time);
        } else {
            Wait.sleep(time);
        }
    }

    /** The clock of a store that is open; null if the engine has its own. */
    ManualClock clock(Slipring slipring) {
        return moves(slipring) ? clock : null;
    }

    private static boolean moves(Slipring slipring) {
        return slipring.store().capabilities().contains(Capability.CLOCK);
    }

    @Override
    public void close() throws Exception {
        opened.forEach(Slipring::close);
    }
}
