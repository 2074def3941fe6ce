// SPDX-License-Identifier: Apache-2.0
package dev.slipring.jdbc;

/** Opens {@code mysql://user:password@host:port/database}. */
public final class MySqlEngine extends MySqlFamily {

    /** For the service loader. */
    public MySqlEngine() {
        super("mysql");
    }
}
