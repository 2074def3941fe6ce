// SPDX-License-Identifier: Apache-2.0
package dev.slipring.bench.subject;

import static org.assertj.core.api.Assertions.assertThat;

import dev.slipring.Options;
import dev.slipring.Slipring;
import dev.slipring.graph.RingSpec;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;

/** The table queue stands in a file like the ring's. */
class SqliteTableTest {

    @TempDir private Path folder;

    private static String kept(Path file, String pragma) throws SQLException {
        try (Connection connection = DriverManager.getConnection("jdbc:sqlite:" + file);
                Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery("PRAGMA " + pragma)) {
            return row.getString(1);
        }
    }

    @Test
    void hasTheRingsPagesAndJournal() throws SQLException {
        Path ring = folder.resolve("ring.db");
        Path table = folder.resolve("table.db");
        try (Slipring slipring = Slipring.open(Options.url("sqlite:" + ring));
                SqliteTable queue = new SqliteTable(table, "FULL", 1)) {
            slipring.create(RingSpec.named("r"));
            assertThat(queue).isNotNull();
            for (String pragma : new String[] {"page_size", "journal_mode"}) {
                assertThat(kept(table, pragma)).as(pragma).isEqualTo(kept(ring, pragma));
            }
        }
    }
}
