// SPDX-License-Identifier: Apache-2.0
package dev.slipring.bench.sources;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;

import dev.slipring.bench.load.Timing;
import dev.slipring.bench.subject.Target;
import dev.slipring.bench.workload.Trial;
import dev.slipring.bench.workload.Workload;
import dev.slipring.kit.server.Server;
import dev.slipring.kit.server.ServerFiles;

import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;

import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;

/** The texts' queues move messages, and keep messages that were pushed and not popped. */
class SourcesTest {

    private static final List<Experiment> EXPERIMENTS =
            List.of(Experiment.plain(1), Experiment.popsOfMany(1));

    /** Opens connections to an empty database. */
    private interface Home {
        Connection connect(String name) throws SQLException;
    }

    @Test
    void onSqlite(@TempDir Path folder) throws Exception {
        moves(
                SourceEngine.of("sqlite"),
                name -> DriverManager.getConnection("jdbc:sqlite:" + folder + "/" + name));
    }

    @Test
    void onMariaDb() throws Exception {
        onServer(ServerFiles.MARIADB_11);
    }

    @Test
    void onMySql() throws Exception {
        onServer(ServerFiles.MYSQL_8);
    }

    private static void onServer(ServerFiles files) throws Exception {
        files.whyNot().ifPresent(why -> Assumptions.abort(files + ": " + why));
        try (Server server = Server.start(files)) {
            String engine = files == ServerFiles.MYSQL_8 ? "mysql" : "mariadb";
            moves(SourceEngine.of(engine), name -> server.connect(server.newDatabase()));
        }
    }

    @Test
    void onPostgres() throws Exception {
        try (EmbeddedPostgres postgres =
                EmbeddedPostgres.builder()
                        .setPGStartupWait(Duration.ofMinutes(3))
                        .setServerConfig("synchronous_commit", "on")
                        .start()) {
            SourceEngine engine = SourceEngine.of("postgresql");
            for (String name : names(engine)) {
                try (Connection connection = postgres.getPostgresDatabase().getConnection();
                        Statement statement = connection.createStatement()) {
                    statement.execute("CREATE DATABASE \"" + name + "\"");
                }
            }
            Home home = name -> postgres.getDatabase("postgres", name).getConnection();
            moves(engine, home);
            String any = names(engine).get(0);
            assertThat(text(home, any, "SHOW synchronous_commit")).isEqualTo("on");
            engine.relax(() -> home.connect(any)).close();
            assertThat(text(home, any, "SHOW synchronous_commit")).isEqualTo("off");
        }
    }

    private static String text(Home home, String name, String sql) throws SQLException {
        try (Connection connection = home.connect(name);
                Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(sql)) {
            row.next();
            return row.getString(1);
        }
    }

    private static List<String> names(SourceEngine engine) {
        return engine.systems(1).stream()
                .flatMap(system -> EXPERIMENTS.stream().map(each -> name(system, each)))
                .toList();
    }

    private static String name(SourceSystem system, Experiment experiment) {
        return system.name() + " " + experiment.most();
    }

    private static void moves(SourceEngine engine, Home home) throws SQLException {
        for (Experiment experiment : EXPERIMENTS) {
            List<SourceSystem> systems = engine.systems(experiment.slots());
            assertThat(systems)
                    .extracting(SourceSystem::name)
                    .contains("naive", "lmax", "random-lane");
            for (SourceSystem system : systems) {
                try (Connection connection = home.connect(name(system, experiment))) {
                    moves(engine, connection, system, experiment);
                }
            }
        }
    }

    private static void moves(
            SourceEngine engine, Connection connection, SourceSystem system, Experiment experiment)
            throws SQLException {
        String name = name(system, experiment);
        try (Statement statement = connection.createStatement()) {
            for (String sql : engine.making(system, experiment)) {
                statement.execute(sql);
            }
            if (experiment.equals(Experiment.plain(1))) {
                earlier(engine, connection, system, statement);
            }
            long pushed = left(statement, system);
            long popped = 0;
            while (popped == 0) {
                // A pop whose time is over as it begins leaves its message behind for ever: the
                // next one waits for the next message.
                pushed += push(engine, connection, system, experiment);
                popped = move(engine, connection, system, false, experiment);
            }
            assertThat(popped).as(name).isBetween(1L, pushed);
            assertThat(left(statement, system)).as(name).isEqualTo(pushed - popped);
        }
    }

    /** What is pushed before the span does not count. */
    private static void earlier(
            SourceEngine engine, Connection connection, SourceSystem system, Statement statement)
            throws SQLException {
        while (left(statement, system) == 0) {
            double end = engine.now(connection) + 0.1;
            Span none = new Span(end, end);
            assertThat(engine.move(connection, system, true, none, Experiment.plain(1)))
                    .as(system.name())
                    .isZero();
        }
    }

    private static long left(Statement statement, SourceSystem system) throws SQLException {
        String left = system.name().startsWith("lmax") ? "SUM(reference_count)" : "COUNT(*)";
        try (ResultSet row = statement.executeQuery("SELECT " + left + " FROM source_ring")) {
            row.next();
            return row.getLong(1);
        }
    }

    /** The window alone divides, so that the rate times the window is a number of messages. */
    @Test
    void theRateIsThatOfTheWindow(@TempDir Path folder) throws Exception {
        Target target = Target.of("sqlite:" + folder.resolve("bench.db"));
        Timing timing = new Timing(Duration.ZERO, Duration.ofMillis(307));
        for (Workload workload : Sources.ALL) {
            if (workload.name().equals("sources-pushes")) {
                Trial trial = workload.trials(target).get(0);
                double messages = trial.run(timing).messagesPerSecond() * 0.307;
                assertThat(messages).isPositive().isCloseTo(Math.rint(messages), within(1e-6));
            }
        }
    }

    /** Pushes for a moment, or longer if nothing was pushed in it; returns how many. */
    private static long push(
            SourceEngine engine, Connection connection, SourceSystem system, Experiment experiment)
            throws SQLException {
        long pushed = 0;
        while (pushed == 0) {
            pushed = move(engine, connection, system, true, experiment);
        }
        return pushed;
    }

    /** Moves for a moment; returns how many. */
    private static long move(
            SourceEngine engine,
            Connection connection,
            SourceSystem system,
            boolean pushes,
            Experiment experiment)
            throws SQLException {
        double from = engine.now(connection);
        Span span = new Span(from, from + (pushes ? 0.1 : 0.02));
        return engine.move(connection, system, pushes, span, experiment);
    }

    @Test
    void anEngineWithoutTheExperimentsIsRefused() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> SourceEngine.of("memory"))
                .withMessageContaining("MariaDB, MySQL, PostgreSQL and SQLite");
    }
}
