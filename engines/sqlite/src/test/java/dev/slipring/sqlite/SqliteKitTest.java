// SPDX-License-Identifier: Apache-2.0
package dev.slipring.sqlite;

import dev.slipring.kit.Kit;
import dev.slipring.kit.Testbed;

import org.junit.jupiter.api.io.TempDir;

import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;

/** The kit on SQLite. */
class SqliteKitTest extends Kit {

    @TempDir Path folder;

    @Override
    protected Testbed newTestbed() {
        Path file = folder.resolve("kit.db");
        return new Testbed() {
            @Override
            public String url() {
                return "sqlite:" + file;
            }

            @Override
            public Connection connect() throws SQLException {
                return DriverManager.getConnection("jdbc:sqlite:" + file);
            }

            @Override
            public String writes() {
                return "PRAGMA data_version";
            }
        };
    }
}
