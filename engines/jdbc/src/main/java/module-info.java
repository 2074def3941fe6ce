// SPDX-License-Identifier: Apache-2.0
/** The slot ring over JDBC: rings of preallocated slots in MariaDB and MySQL. */
module dev.slipring.jdbc {
    requires transitive dev.slipring;
    requires transitive java.sql;
    requires dev.slipring.sql;
    requires org.mariadb.jdbc;

    provides dev.slipring.engine.Engine with
            dev.slipring.jdbc.MariaDbEngine,
            dev.slipring.jdbc.MySqlEngine;

    exports dev.slipring.jdbc;
}
