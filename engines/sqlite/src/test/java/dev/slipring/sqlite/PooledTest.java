// SPDX-License-Identifier: Apache-2.0
package dev.slipring.sqlite;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;

import dev.slipring.Options;
import dev.slipring.Ring;
import dev.slipring.Slipring;
import dev.slipring.StoreFailed;
import dev.slipring.graph.RingSpec;
import dev.slipring.kit.InFront;
import dev.slipring.kit.OneConnection;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.sqlite.SQLiteConfig;
import org.sqlite.SQLiteConnection;
import org.sqlite.SQLiteDataSource;

import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;

import javax.sql.DataSource;

/** A store on the application's pool gives connections back as they came. */
class PooledTest {

    private static final int CONNECTIONS = 4;

    private static final List<String> PRAGMAS =
            List.of(
                    "synchronous",
                    "query_only",
                    "busy_timeout",
                    "foreign_keys",
                    "cache_size",
                    "temp_store",
                    "journal_size_limit",
                    "wal_autocheckpoint");

    @TempDir private Path folder;

    @Test
    void connectionsGoBackAsTheyCame() throws Exception {
        try (HikariDataSource pool = pool()) {
            List<List<Long>> before = settings(pool);
            assertThat(before.get(0)).contains(12_000L, -50_000L);
            try (Slipring slipring = Slipring.open(Options.dataSource(pool, "sqlite"))) {
                Ring ring = slipring.create(RingSpec.named("r"));
                ring.push("hello");
                assertThat(ring.info().pushed()).isEqualTo(1);
            }
            assertThat(settings(pool)).isEqualTo(before);
        }
    }

    /**
     * The store syncs the log before it copies it to the file, even if the application's
     * connections do not sync.
     */
    @Test
    void aPoolThatDoesNotSyncIsNoReason() throws Exception {
        SQLiteConfig config = new SQLiteConfig();
        config.setSynchronous(SQLiteConfig.SynchronousMode.OFF);
        List<Connection> taken = new CopyOnWriteArrayList<>();
        SQLiteDataSource source =
                new SQLiteDataSource(config) {
                    @Override
                    public SQLiteConnection getConnection(String user, String password)
                            throws SQLException {
                        SQLiteConnection connection = super.getConnection(user, password);
                        taken.add(connection);
                        return connection;
                    }
                };
        source.setUrl("jdbc:sqlite:" + folder.resolve("off.db"));
        Path log = folder.resolve("off.db-wal");
        try (Slipring slipring = Slipring.open(Options.dataSource(source, "sqlite"))) {
            slipring.create(RingSpec.named("r")).push("hello");
            assertThat(taken).hasSizeGreaterThanOrEqualTo(3);
            for (Connection connection : taken) {
                assertThat(Given.number(connection, "PRAGMA synchronous")).isPositive();
            }
            assertThat(log).isNotEmptyFile();
        }
        assertThat(log).doesNotExist();
    }

    /**
     * A pool without auto-commit can be used: its connections come in a transaction that has done
     * nothing.
     */
    @Test
    void aPoolWithoutAutoCommitIsAPool() throws Exception {
        HikariConfig config = config();
        config.setAutoCommit(false);
        config.setMaximumPoolSize(3);
        try (HikariDataSource pool = new HikariDataSource(config);
                Slipring slipring = Slipring.open(Options.dataSource(pool, "sqlite"))) {
            Ring ring = slipring.create(RingSpec.named("r"));
            ring.push("hello");
            assertThat(ring.info().pushed()).isEqualTo(1);
        }
    }

    /**
     * A connection goes back in the mode in which it came, as some pools leave it in the mode in
     * which it was used.
     */
    @Test
    void whatComesInEitherModeGoesBackInIt() throws Exception {
        SQLiteDataSource plain = new SQLiteDataSource();
        plain.setUrl("jdbc:sqlite:" + folder.resolve("modes.db"));
        AtomicInteger given = new AtomicInteger();
        List<Boolean> modes = new CopyOnWriteArrayList<>();
        List<Boolean> back = new CopyOnWriteArrayList<>();
        DataSource source =
                InFront.of(
                        DataSource.class,
                        plain,
                        (method, args, through) -> {
                            Connection connection = plain.getConnection();
                            connection.setAutoCommit(given.getAndIncrement() % 2 == 0);
                            modes.add(connection.getAutoCommit());
                            return givenBack(connection, back);
                        });
        try (Slipring slipring = Slipring.open(Options.dataSource(source, "sqlite"))) {
            slipring.create(RingSpec.named("r")).push("hello");
        }
        assertThat(back).contains(false).containsExactlyInAnyOrderElementsOf(modes);
    }

    private static Connection givenBack(Connection connection, List<Boolean> modes) {
        return InFront.of(
                Connection.class,
                connection,
                (method, args, through) -> {
                    if (method.equals("close")) {
                        modes.add(connection.getAutoCommit());
                    }
                    return through.call();
                });
    }

    @Test
    void aTransactionOfTheThreadsOwnIsNotCommitted() throws Exception {
        try (Connection own = Given.jdbc(folder.resolve("own.db"))) {
            Given.run(own, "CREATE TABLE mine (n INTEGER)");
            own.setAutoCommit(false);
            Given.run(own, "INSERT INTO mine VALUES (1)");
            Options options = Options.dataSource(OneConnection.of(own), "sqlite");
            assertThatThrownBy(() -> Slipring.open(options))
                    .isInstanceOf(StoreFailed.class)
                    .hasMessageContaining("what hands out the connection of the thread's own");
            own.rollback();
            assertThat(Given.number(own, "SELECT count(*) FROM mine")).isZero();
        }
    }

    @Test
    void aPoolThatIsTooSmallIsToldSo() {
        HikariConfig config = config();
        config.setMaximumPoolSize(2);
        config.setConnectionTimeout(300);
        try (HikariDataSource pool = new HikariDataSource(config)) {
            assertThatThrownBy(() -> Slipring.open(Options.dataSource(pool, "sqlite")))
                    .isInstanceOf(StoreFailed.class)
                    .hasMessageContaining("a store keeps three of them");
        }
    }

    private HikariDataSource pool() {
        return new HikariDataSource(config());
    }

    private HikariConfig config() {
        HikariConfig config = new HikariConfig();
        config.setJdbcUrl("jdbc:sqlite:" + folder.resolve("x.db"));
        config.setMaximumPoolSize(CONNECTIONS);
        config.addDataSourceProperty("foreign_keys", "true");
        config.addDataSourceProperty("busy_timeout", "12000");
        config.addDataSourceProperty("cache_size", "-50000");
        return config;
    }

    /** The settings of all connections of a pool. */
    private static List<List<Long>> settings(HikariDataSource pool) throws Exception {
        List<Connection> all = new ArrayList<>();
        List<List<Long>> settings = new ArrayList<>();
        try {
            while (all.size() < CONNECTIONS) {
                all.add(pool.getConnection());
            }
            for (Connection connection : all) {
                List<Long> values = new ArrayList<>();
                for (String pragma : PRAGMAS) {
                    values.add(Given.number(connection, "PRAGMA " + pragma));
                }
                settings.add(values);
            }
        } finally {
            for (Connection connection : all) {
                connection.close();
            }
        }
        return settings;
    }
}
