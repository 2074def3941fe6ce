// SPDX-License-Identifier: Apache-2.0
package dev.slipring.postgresql;

import org.postgresql.ds.PGSimpleDataSource;

import java.sql.Connection;
import java.sql.SQLException;

/**
 * Connections to one of several hosts. The driver tries them in turn, and may wait at one that is
 * off, or stopped, for longer than the pool waits for a connection: then it never comes to the
 * next. So each host has a limit of its own, and all of them together have none. Any thread.
 */
final class HostsSource extends PGSimpleDataSource {

    private static final long serialVersionUID = 1L;

    /** How many seconds a host has for each step. A packet that was lost is sent again in one. */
    private static final int STEP = 3;

    private final boolean liftsTimeout;

    /**
     * One of several hosts.
     *
     * @param url what the driver is told, without user and password
     */
    HostsSource(String url) {
        setURL(url);
        if (!url.contains("connectTimeout=")) {
            setConnectTimeout(STEP);
        }
        // Otherwise it is meant for calls, too.
        liftsTimeout = !url.contains("socketTimeout=");
        if (liftsTimeout) {
            setSocketTimeout(STEP);
        }
    }

    @Override
    public Connection getConnection(String user, String password) throws SQLException {
        Connection connection = super.getConnection(user, password);
        if (liftsTimeout) {
            connection.setNetworkTimeout(Runnable::run, 0);
        }
        return connection;
    }

    /** Set by the pool, for all hosts together. */
    @Override
    public void setLoginTimeout(int seconds) {}
}
