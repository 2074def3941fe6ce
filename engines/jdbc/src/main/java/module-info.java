// SPDX-License-Identifier: Apache-2.0
/** The slot ring over JDBC: rings of preallocated slots in MariaDB, MySQL and SQL Server. */
module dev.slipring.jdbc {
    requires transitive dev.slipring;
    requires transitive java.sql;
    requires com.microsoft.sqlserver.jdbc;
    requires dev.slipring.sql;
    requires org.mariadb.jdbc;

    provides dev.slipring.engine.Engine with
            dev.slipring.jdbc.MariaDbEngine,
            dev.slipring.jdbc.MySqlEngine,
            dev.slipring.jdbc.SqlServerEngine;

    exports dev.slipring.jdbc;
}
