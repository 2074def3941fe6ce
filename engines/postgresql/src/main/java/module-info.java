// SPDX-License-Identifier: Apache-2.0
/** The PostgreSQL engine: rings in a schema of a database, shared by all who reach it. */
module dev.slipring.postgresql {
    requires transitive dev.slipring;
    requires dev.slipring.sql;
    requires java.sql;
    requires com.zaxxer.hikari;
    requires org.postgresql.jdbc;

    provides dev.slipring.engine.Engine with
            dev.slipring.postgresql.PostgresEngine;

    exports dev.slipring.postgresql;
}
