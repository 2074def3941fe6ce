// SPDX-License-Identifier: Apache-2.0
package dev.slipring.postgresql;

import java.io.PrintWriter;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.SQLFeatureNotSupportedException;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.logging.Logger;

import javax.sql.DataSource;

/**
 * A source of connections that waits a while for a server that was there and is away, and tries
 * often. The pool in front of it tries less and less often, in the end every five seconds: all
 * would have to wait so long after the server is back. Any thread.
 */
final class AwaitingSource implements DataSource {

    private static final long LOOK_MILLIS = 100;

    private final DataSource source;
    private final long patience;
    private volatile boolean wasThere;

    /** Waits for the server of a source for so long. */
    AwaitingSource(DataSource source, Duration patience) {
        this.source = source;
        this.patience = patience.toNanos();
    }

    @Override
    public Connection getConnection() throws SQLException {
        long begin = System.nanoTime();
        while (true) {
            try {
                Connection connection = source.getConnection();
                wasThere = true;
                return connection;
            } catch (SQLException e) {
                boolean waits = wasThere && new SqlFailed(e).isCutOff();
                if (!waits || System.nanoTime() - begin > patience || !pause()) {
                    throw e;
                }
            }
        }
    }

    /** Returns whether nobody ended it, as the pool does when it is closed. */
    private static boolean pause() {
        try {
            TimeUnit.MILLISECONDS.sleep(LOOK_MILLIS);
            return true;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    @Override
    public Connection getConnection(String user, String password) throws SQLException {
        return source.getConnection(user, password);
    }

    @Override
    public PrintWriter getLogWriter() throws SQLException {
        return source.getLogWriter();
    }

    @Override
    public void setLogWriter(PrintWriter writer) throws SQLException {
        source.setLogWriter(writer);
    }

    @Override
    public void setLoginTimeout(int seconds) throws SQLException {
        source.setLoginTimeout(seconds);
    }

    @Override
    public int getLoginTimeout() throws SQLException {
        return source.getLoginTimeout();
    }

    @Override
    public Logger getParentLogger() throws SQLFeatureNotSupportedException {
        return source.getParentLogger();
    }

    @Override
    public <T> T unwrap(Class<T> type) throws SQLException {
        return type.isInstance(source) ? type.cast(source) : source.unwrap(type);
    }

    @Override
    public boolean isWrapperFor(Class<?> type) throws SQLException {
        return type.isInstance(source) || source.isWrapperFor(type);
    }
}
