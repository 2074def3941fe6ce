// SPDX-License-Identifier: Apache-2.0
package dev.slipring.postgresql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.slipring.Options;
import dev.slipring.Slipring;
import dev.slipring.SlipringException;
import dev.slipring.Stage;
import dev.slipring.graph.RingSpec;
import dev.slipring.kit.InFront;

import com.zaxxer.hikari.HikariDataSource;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.logging.Filter;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;

import javax.sql.DataSource;

/**
 * The lock of listeners can be taken by every role; a session that has it keeps no store from being
 * closed.
 */
@Timeout(60)
class ListeningTest {

    private static final String LOCKS =
            "SELECT count(*) FROM pg_locks WHERE locktype = 'advisory' AND database ="
                    + " (SELECT oid FROM pg_database WHERE datname = current_database())";

    @RegisterExtension private final NewDatabase database = new NewDatabase();

    @Test
    void aLockThatSomebodyHasKeepsNobodyFromClosing() throws Exception {
        Slipring slipring = Slipring.open(database.url());
        slipring.create(RingSpec.named("r"));
        try (Statement other = database.other().createStatement()) {
            other.execute("SELECT pg_advisory_lock(hashtextextended('slipring listens', 7157))");
            Stage stage = slipring.ring("r").stage();
            CompletableFuture<?> waits =
                    CompletableFuture.supplyAsync(() -> stage.claim(1, Options.FOREVER));
            String listening =
                    "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database()"
                            + " AND query LIKE '%advisory_lock_shared(%'"
                            + " AND pid <> pg_backend_pid()";
            assertThat(database.await(listening, 1, waits)).isPositive();
            CompletableFuture.runAsync(slipring::close).get(20, TimeUnit.SECONDS);
            assertThatThrownBy(() -> waits.get(20, TimeUnit.SECONDS))
                    .hasCauseInstanceOf(SlipringException.class);
        }
    }

    /**
     * A session that cannot be left as it came is not given back: the pool would hand out one that
     * still listens.
     */
    @Test
    void aSessionThatIsNotLeftAsItCameIsGivenToNobody() throws Exception {
        AtomicInteger cancelled = new AtomicInteger();
        try (HikariDataSource pool = new HikariDataSource()) {
            pool.setDataSource(
                    refusing(
                            "UNLISTEN", PostgresUrl.parse(database.url()).dataSource(), cancelled));
            try (Slipring slipring = Slipring.open(Options.dataSource(pool, "postgresql"))) {
                slipring.create(RingSpec.named("r"));
                Stage stage = slipring.ring("r").stage();
                CompletableFuture<?> waits =
                        CompletableFuture.runAsync(() -> stage.claim(1, Options.FOREVER));
                assertThat(database.await(LOCKS, 2, waits)).isEqualTo(2);
            }
            assertThat(cancelled).hasPositiveValue();
            Statement other = database.other().createStatement();
            while (number(other) > 0) {
                TimeUnit.MILLISECONDS.sleep(20);
            }
        }
    }

    /** One line, and not one for each second. */
    @Test
    void whatKeepsItFromListeningIsToldOnce() throws Exception {
        AtomicInteger refused = new AtomicInteger();
        List<LogRecord> records = new CopyOnWriteArrayList<>();
        Logger log = Logger.getLogger("dev.slipring");
        Filter before = log.getFilter();
        log.setFilter(entry -> !records.add(entry));
        try (HikariDataSource pool = new HikariDataSource()) {
            DataSource real = PostgresUrl.parse(database.url()).dataSource();
            pool.setDataSource(refusing("LISTEN", real, refused));
            try (Slipring slipring = Slipring.open(Options.dataSource(pool, "postgresql"))) {
                slipring.create(RingSpec.named("r"));
                Stage stage = slipring.ring("r").stage();
                CompletableFuture.runAsync(() -> stage.claim(1, Options.FOREVER));
                while (refused.get() < 3) {
                    TimeUnit.MILLISECONDS.sleep(20);
                }
            }
        } finally {
            log.setFilter(before);
        }
        assertThat(records)
                .filteredOn(entry -> entry.getLevel() == Level.WARNING)
                .singleElement()
                .satisfies(
                        entry -> {
                            assertThat(entry.getMessage()).contains("a second late");
                            assertThat(entry.getThrown()).hasMessageContaining("canceling");
                        });
    }

    private static long number(Statement statement) throws SQLException {
        try (ResultSet rows = statement.executeQuery(LOCKS)) {
            rows.next();
            return rows.getLong(1);
        }
    }

    /** Connections on which statements that begin with a word fail. */
    private static DataSource refusing(String word, DataSource real, AtomicInteger refused) {
        return InFront.of(
                DataSource.class,
                real,
                (method, args, through) -> {
                    Object made = through.call();
                    return made instanceof Connection connection
                            ? refusing(word, connection, refused)
                            : made;
                });
    }

    private static Connection refusing(String word, Connection real, AtomicInteger refused) {
        return InFront.of(
                Connection.class,
                real,
                (method, args, through) -> {
                    Object made = through.call();
                    return method.equals("createStatement")
                            ? InFront.of(
                                    Statement.class,
                                    (Statement) made,
                                    (call, what, on) -> {
                                        if (call.equals("execute")
                                                && what[0].toString().startsWith(word)) {
                                            refused.incrementAndGet();
                                            throw new SQLException("canceling", "57014");
                                        }
                                        return on.call();
                                    })
                            : made;
                });
    }
}
