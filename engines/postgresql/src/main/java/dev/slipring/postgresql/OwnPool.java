// SPDX-License-Identifier: Apache-2.0
package dev.slipring.postgresql;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import com.zaxxer.hikari.pool.HikariPool;

import java.sql.SQLException;
import java.time.Duration;
import java.util.concurrent.TimeUnit;

import javax.sql.DataSource;

/**
 * The pool of a store that is opened by its URL. Nothing else names a class of HikariCP: an
 * application whose data source is another pool may leave it out.
 */
final class OwnPool implements AutoCloseable {

    private static final int MOST = 16;

    /** The state of an error that says that there is no connection. */
    private static final String NONE = "08001";

    private static final long PATIENCE_MILLIS = TimeUnit.SECONDS.toMillis(10);

    /** Less than that, so that a caller who waits in vain learns of a try that failed. */
    private static final Duration AWAY = Duration.ofSeconds(8);

    /**
     * Has the server's process take 2 MB and give them back. The C library of Linux then keeps as
     * much for the next time, where else it returns the memory of a large push to the system and
     * gets it again page by page, a quarter of a push's time (mallopt(3), M_TRIM_THRESHOLD).
     */
    private static final String KEEP_MEMORY =
            "SELECT pg_catalog.octet_length("
                    + "pg_catalog.repeat(pg_catalog.repeat(' ', 1000), 2000))";

    private static final long IDLE_MILLIS = TimeUnit.MINUTES.toMillis(1);

    private final HikariDataSource pool;

    /** A pool of connections of a source, which is asked for one at once. */
    OwnPool(DataSource source, Trouble trouble) {
        pool = pool(source, trouble);
    }

    DataSource source() {
        return pool;
    }

    /** An interrupt does not end this: the driver would report it as an unusual error. */
    private static HikariDataSource pool(DataSource source, Trouble trouble) {
        boolean interrupted = Thread.interrupted();
        try {
            while (true) {
                try {
                    HikariDataSource made = new HikariDataSource(config(source));
                    made.setMinimumIdle(0);
                    return made;
                } catch (HikariPool.PoolInitializationException e) {
                    if (!Thread.interrupted()) {
                        throw trouble.explain(failed(e));
                    }
                    interrupted = true;
                }
            }
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    /** Nothing was lost: the first connection has not come about, whatever the driver calls it. */
    private static SqlFailed failed(HikariPool.PoolInitializationException e) {
        if (!(e.getCause() instanceof SQLException why)) {
            return new SqlFailed(new SQLException(e.getMessage(), e));
        }
        String state = why.getSQLState();
        boolean lost =
                state != null && state.startsWith("08") && !state.equals(Trouble.TURNED_DOWN);
        return new SqlFailed(lost ? new SQLException(why.getMessage(), NONE, why) : why);
    }

    private static HikariConfig config(DataSource source) {
        HikariConfig config = new HikariConfig();
        config.setDataSource(new AwaitingSource(source, AWAY));
        config.setPoolName("slipring");
        config.setConnectionInitSql(KEEP_MEMORY);
        config.setMaximumPoolSize(MOST);
        // One that is wanted is kept where the first try is over; a pool that wants none ends it.
        config.setMinimumIdle(1);
        config.setIdleTimeout(IDLE_MILLIS);
        config.setConnectionTimeout(PATIENCE_MILLIS);
        // So short a time is one try; none at all would not end the pool when the try fails.
        config.setInitializationFailTimeout(1);
        return config;
    }

    @Override
    public void close() {
        pool.close();
    }
}
