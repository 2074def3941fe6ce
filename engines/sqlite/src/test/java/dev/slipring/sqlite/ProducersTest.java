// SPDX-License-Identifier: Apache-2.0
package dev.slipring.sqlite;

import static org.assertj.core.api.Assertions.assertThat;

import dev.slipring.engine.Store;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.nio.file.Path;
import java.sql.Connection;
import java.sql.Statement;
import java.util.Random;

/** Producers that pushed once and never again are forgotten, a few at a time. */
class ProducersTest {

    private static final String MANY =
            "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 1000)"
                    + " INSERT INTO slipring_producer (ring, producer, number, seen_at)"
                    + " SELECT 1, abs(random()), 1, %s FROM n";

    @TempDir Path folder;

    @Test
    void whoPushedLongAgoIsForgotten() throws Exception {
        Path file = folder.resolve("x.db");
        Random random = new Random(7);
        try (Store store = Given.ring(file);
                Connection other = Given.jdbc(file);
                Statement statement = other.createStatement()) {
            statement.executeUpdate(String.format(MANY, "1"));
            statement.executeUpdate(String.format(MANY, System.currentTimeMillis()));
            for (int i = 0; i < 1_000; i++) {
                store.push("r", Given.slot(1, 10, random.nextLong(1, Long.MAX_VALUE), 1));
            }
            String count = "SELECT count(*) FROM slipring_producer WHERE seen_at ";
            assertThat(Given.number(other, count + "= 1")).isLessThan(50);
            // All producers that pushed today, except the last, which is kept with the lane.
            assertThat(Given.number(other, count + "> 1")).isEqualTo(1_999);
        }
    }
}
