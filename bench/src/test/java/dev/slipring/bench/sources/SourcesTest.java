// SPDX-License-Identifier: Apache-2.0
package dev.slipring.bench.sources;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;

/** The texts' queues move messages, and keep those that were pushed and not popped. */
class SourcesTest {

    private static final long SLOTS = 100_000;

    /** Opens connections to an empty database. */
    private interface Home {
        Connection connect(int number) throws SQLException;
    }

    @Test
    void onSqlite(@TempDir Path folder) throws Exception {
        moves(
                SourceEngine.of("sqlite"),
                number -> DriverManager.getConnection("jdbc:sqlite:" + folder + "/" + number));
    }

    @Test
    void onPostgres() throws Exception {
        try (EmbeddedPostgres postgres = EmbeddedPostgres.builder().start()) {
            SourceEngine engine = SourceEngine.of("postgresql");
            for (int number = 0; number < engine.systems(SLOTS).size(); number++) {
                try (Connection connection = postgres.getPostgresDatabase().getConnection();
                        Statement statement = connection.createStatement()) {
                    statement.execute("CREATE DATABASE home_" + number);
                }
            }
            moves(
                    engine,
                    number -> postgres.getDatabase("postgres", "home_" + number).getConnection());
        }
    }

    private static void moves(SourceEngine engine, Home home) throws SQLException {
        List<SourceSystem> systems = engine.systems(SLOTS);
        assertThat(systems).extracting(SourceSystem::name).contains("naive", "lmax", "random-lane");
        for (int number = 0; number < systems.size(); number++) {
            SourceSystem system = systems.get(number);
            try (Connection connection = home.connect(number);
                    Statement statement = connection.createStatement()) {
                for (String sql : engine.making(system)) {
                    statement.execute(sql);
                }
                long pushed = move(engine, connection, system, true);
                long popped = move(engine, connection, system, false);
                assertThat(popped).as(system.name()).isBetween(1L, pushed);
                String left =
                        system.name().startsWith("lmax") ? "SUM(reference_count)" : "COUNT(*)";
                try (ResultSet row =
                        statement.executeQuery("SELECT " + left + " FROM source_ring")) {
                    row.next();
                    assertThat(row.getLong(1)).as(system.name()).isEqualTo(pushed - popped);
                }
            }
        }
    }

    /** Moves for a moment, or longer if nothing was moved in it; returns how many. */
    private static long move(
            SourceEngine engine, Connection connection, SourceSystem system, boolean pushes)
            throws SQLException {
        long moved = 0;
        while (moved == 0) {
            double until = engine.now(connection) + (pushes ? 0.1 : 0.02);
            moved = engine.move(connection, system, pushes, until, SLOTS);
        }
        return moved;
    }

    @Test
    void anEngineWithoutTheExperimentsIsRefused() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> SourceEngine.of("memory"))
                .withMessageContaining("MariaDB, MySQL, PostgreSQL and SQLite");
    }
}
