// SPDX-License-Identifier: Apache-2.0
package dev.slipring.kit;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.SQLException;

import javax.sql.DataSource;

/**
 * A data source as frameworks have them for code that knows nothing of transactions: it gives the
 * connection of the thread's own, time and again, and to close that does nothing. Other threads get
 * none.
 */
public final class OneConnection {

    private OneConnection() {}

    /** A data source that gives a connection to this thread. */
    public static DataSource of(Connection connection) {
        Thread owner = Thread.currentThread();
        Connection shown =
                (Connection)
                        Proxy.newProxyInstance(
                                OneConnection.class.getClassLoader(),
                                new Class<?>[] {Connection.class},
                                (proxy, method, args) -> {
                                    if (method.getName().equals("close")) {
                                        return null;
                                    }
                                    try {
                                        return method.invoke(connection, args);
                                    } catch (InvocationTargetException e) {
                                        throw e.getCause();
                                    }
                                });
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
