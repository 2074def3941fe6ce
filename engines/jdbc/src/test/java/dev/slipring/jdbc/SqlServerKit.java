// SPDX-License-Identifier: Apache-2.0
package dev.slipring.jdbc;

import dev.slipring.kit.Kit;
import dev.slipring.kit.Testbed;

import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeAll;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;

/**
 * The kit on the SQL Server that SLIPRING_TEST_SQLSERVER names, {@code
 * sqlserver://sa:password@host:1433/master?trustServerCertificate=true}: each test in a database of
 * its own, which is made and dropped.
 */
abstract class SqlServerKit extends Kit {

    private static final String SERVER = System.getenv("SLIPRING_TEST_SQLSERVER");

    private final boolean inMemory;

    SqlServerKit(boolean inMemory) {
        this.inMemory = inMemory;
    }

    @BeforeAll
    static void isThere() {
        Assumptions.assumeTrue(
                SERVER != null,
                "SLIPRING_TEST_SQLSERVER names no server; set it to"
                        + " sqlserver://sa:password@host:1433/master?trustServerCertificate=true");
    }

    /** The statements that make a database in which Slipring can work. */
    static List<String> making(String database, boolean inMemory) {
        String alter = "ALTER DATABASE " + database;
        List<String> making = new ArrayList<>();
        making.add("CREATE DATABASE " + database);
        making.add(alter + " SET READ_COMMITTED_SNAPSHOT ON");
        making.add(alter + " SET ALLOW_SNAPSHOT_ISOLATION ON");
        if (inMemory) {
            making.add(alter + " SET MEMORY_OPTIMIZED_ELEVATE_TO_SNAPSHOT = ON");
            making.add(alter + " ADD FILEGROUP slots CONTAINS MEMORY_OPTIMIZED_DATA");
            making.add(
                    "DECLARE @add NVARCHAR(MAX) = N'"
                            + alter
                            + " ADD FILE (NAME = slots, FILENAME = N'''"
                            + " + CAST(SERVERPROPERTY('InstanceDefaultDataPath') AS NVARCHAR(400))"
                            + " + N'"
                            + database
                            + "_slots'') TO FILEGROUP slots';"
                            + " EXECUTE sys.sp_executesql @add");
        }
        return making;
    }

    /** The statements that remove it, whoever is still connected. */
    static List<String> dropping(String database) {
        return List.of(
                "ALTER DATABASE " + database + " SET SINGLE_USER WITH ROLLBACK IMMEDIATE",
                "DROP DATABASE " + database);
    }

    private static Connection connect(String database) throws SQLException {
        SqlServerDialect dialect = new SqlServerDialect(false);
        return dialect.connect(dialect.url(in(database)));
    }

    /** The URL of a database of the server, to which a further option can be appended. */
    private static String in(String database) {
        int path = SERVER.indexOf('/', SERVER.indexOf("://") + 3);
        int query = SERVER.indexOf('?');
        return SERVER.substring(0, path)
                + "/"
                + database
                + (query < 0 ? "?" : SERVER.substring(query) + "&");
    }

    private static void run(List<String> statements) throws SQLException {
        try (Connection connection = connect("master");
                Statement sql = connection.createStatement()) {
            for (String statement : statements) {
                sql.execute(statement);
            }
        }
    }

    @Override
    protected Testbed newTestbed() throws SQLException {
        String database = "slipring_" + ThreadLocalRandom.current().nextLong(1, Long.MAX_VALUE);
        run(making(database, inMemory));
        return new Testbed() {
            @Override
            public String url() {
                return in(database) + "slots=" + (inMemory ? "memory" : "disk");
            }

            @Override
            public Connection connect() throws SQLException {
                return SqlServerKit.connect(database);
            }

            @Override
            public String writes() {
                return "SELECT SUM(leaf_insert_count + leaf_update_count + leaf_delete_count)"
                        + " FROM sys.dm_db_index_operational_stats(DB_ID(), NULL, NULL, NULL)";
            }

            @Override
            public void close() throws Exception {
                super.close();
                run(dropping(database));
            }
        };
    }
}
