// SPDX-License-Identifier: Apache-2.0
package dev.slipring.jdbc;

/** Opens {@code mariadb://user:password@host:port/database}. */
public final class MariaDbEngine extends MySqlFamily {

    /** For the service loader. */
    public MariaDbEngine() {
        super("mariadb");
    }
}
