// SPDX-License-Identifier: Apache-2.0
package dev.slipring.kit;

import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.SQLException;

import javax.sql.DataSource;

/**
 * A data source like those that frameworks give to code that knows nothing of transactions: it
 * always gives the connection of the thread's own transaction, and closing that does nothing. Other
 * threads get none.
 */
public final class OneConnection {

    private OneConnection() {}

    /** A data source that gives a connection to this thread. */
    public static DataSource of(Connection connection) {
        Thread owner = Thread.currentThread();
        Connection shown =
                InFront.of(
                        Connection.class,
                        connection,
                        (method, args, through) -> method.equals("close") ? null : through.call());
        return (DataSource)
                Proxy.newProxyInstance(
                        OneConnection.class.getClassLoader(),
                        new Class<?>[] {DataSource.class},
                        (proxy, method, args) -> {
                            if (Thread.currentThread() != owner) {
                                throw new SQLException("the connection is another thread's");
                            }
                            return shown;
                        });
    }
}
