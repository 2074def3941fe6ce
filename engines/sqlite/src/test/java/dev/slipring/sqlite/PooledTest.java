// SPDX-License-Identifier: Apache-2.0
package dev.slipring.sqlite;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;

import dev.slipring.Options;
import dev.slipring.Ring;
import dev.slipring.Slipring;
import dev.slipring.graph.RingSpec;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.nio.file.Path;
import java.sql.Connection;
import java.util.ArrayList;
import java.util.List;

/** A store on a pool of the application's gives its connections back as they came. */
class PooledTest {

    private static final int CONNECTIONS = 4;

    @TempDir private Path folder;

    @Test
    void connectionsGoBackAsTheyCame() throws Exception {
        try (HikariDataSource pool = pool()) {
            List<List<Long>> before = settings(pool);
            try (Slipring slipring = Slipring.open(Options.dataSource(pool, "sqlite"))) {
                Ring ring = slipring.create(RingSpec.named("r"));
                ring.push("hello");
                assertThat(ring.info().pushed()).isEqualTo(1);
            }
            assertThat(settings(pool)).isEqualTo(before);
        }
    }

    private HikariDataSource pool() {
        HikariConfig config = new HikariConfig();
        config.setJdbcUrl("jdbc:sqlite:" + folder.resolve("x.db"));
        config.setMaximumPoolSize(CONNECTIONS);
        return new HikariDataSource(config);
    }

    /** What the connections of a pool, all of them, are set to: how they sync, write and wait. */
    private static List<List<Long>> settings(HikariDataSource pool) throws Exception {
        List<Connection> all = new ArrayList<>();
        List<List<Long>> settings = new ArrayList<>();
        try {
            while (all.size() < CONNECTIONS) {
                all.add(pool.getConnection());
            }
            for (Connection connection : all) {
                settings.add(
                        List.of(
                                Given.number(connection, "PRAGMA synchronous"),
                                Given.number(connection, "PRAGMA query_only"),
                                Given.number(connection, "PRAGMA busy_timeout")));
            }
        } finally {
            for (Connection connection : all) {
                connection.close();
            }
        }
        return settings;
    }
}
