// SPDX-License-Identifier: Apache-2.0
/** The SQLite engine: rings in a file, shared by the processes of one machine. */
module dev.slipring.sqlite {
    requires transitive dev.slipring;
    requires dev.slipring.sql;
    requires java.sql;
    requires org.xerial.sqlitejdbc;

    provides dev.slipring.engine.Engine with
            dev.slipring.sqlite.SqliteEngine;

    exports dev.slipring.sqlite;
}
