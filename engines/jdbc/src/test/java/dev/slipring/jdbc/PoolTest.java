// SPDX-License-Identifier: Apache-2.0
package dev.slipring.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.slipring.Claim;
import dev.slipring.Message;
import dev.slipring.Options;
import dev.slipring.Ring;
import dev.slipring.Slipring;
import dev.slipring.SlipringException;
import dev.slipring.StoreFailed;
import dev.slipring.engine.BetweenTries;
import dev.slipring.graph.RingSpec;
import dev.slipring.kit.InFront;
import dev.slipring.kit.server.RunningServer;
import dev.slipring.kit.server.ServerFiles;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.mariadb.jdbc.MariaDbDataSource;

import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;

import javax.sql.DataSource;

/** A store on the application's pool: it takes one connection at a time, and gives it back. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class PoolTest {

    @RegisterExtension
    private final RunningServer server = new RunningServer(ServerFiles.MARIADB_11);

    /**
     * A pool that counts the connections that a thread has; the first call on a connection may
     * fail.
     */
    private static final class Pool {

        private final ThreadLocal<Integer> taken = ThreadLocal.withInitial(() -> 0);
        private final RunningServer server;
        private final String database;
        private boolean broken;

        /** The setting of its only connection, which is used again and again. */
        private String setting;

        private Connection kept;

        /** How often a ROLLBACK is stopped. */
        private int stops;

        /** How often a thread that waits for a connection is interrupted. */
        private int interrupts;

        Pool(RunningServer server, String database) {
            this.server = server;
            this.database = database;
        }

        DataSource source() {
            return (DataSource)
                    Proxy.newProxyInstance(
                            DataSource.class.getClassLoader(),
                            new Class<?>[] {DataSource.class},
                            (proxy, method, args) -> connection());
        }

        private Connection real() throws SQLException {
            if (setting == null) {
                return server.get().connect(database);
            }
            if (kept == null) {
                kept = server.get().connect(database);
                try (Statement statement = kept.createStatement()) {
                    statement.execute("SET SESSION " + setting);
                }
            }
            return kept;
        }

        private boolean isStopped(String method, Object... args) {
            return method.equals("prepareStatement")
                    && args[0].toString().contains("ROLLBACK")
                    && stops-- > 0;
        }

        private Connection connection() throws SQLException {
            if (interrupts-- > 0) {
                throw new SQLException("interrupted", new InterruptedException());
            }
            if (taken.get() > 0) {
                throw new SQLException("this thread has a connection already");
            }
            taken.set(1);
            Connection real = real();
            return InFront.of(
                    Connection.class,
                    real,
                    (method, args, through) -> {
                        if (method.equals("close")) {
                            taken.set(0);
                            if (setting != null) {
                                return null;
                            }
                        } else if (broken) {
                            throw new SQLException("broken");
                        } else if (isStopped(method, args)) {
                            throw new SQLException("stopped", "70100", 1317);
                        }
                        return through.call();
                    });
        }
    }

    /** Who waits for a connection may write for others, whom his interrupt does not concern. */
    @Test
    void anInterruptWhileAConnectionIsWaitedForIsKept() {
        Pool pool = new Pool(server, server.get().newDatabase());
        try (Slipring slipring = Slipring.open(Options.dataSource(pool.source(), "mariadb"))) {
            Ring ring = slipring.create(RingSpec.named("interrupted"));
            pool.interrupts = 2;
            ring.push("x");
            assertThat(Thread.interrupted()).isTrue();
            assertThat(ring.info().pushed()).isEqualTo(1);
        }
    }

    /**
     * Such a driver would repeat writes that go by what was read before, and overwrite what others
     * have pushed since.
     */
    @Test
    void aDriverThatReplaysTransactionsIsRefused() throws SQLException {
        String database = server.get().newDatabase();
        String at = "127.0.0.1:" + server.get().port() + "/" + database;
        MariaDbDataSource source =
                new MariaDbDataSource(
                        "jdbc:mariadb:sequential://" + at + "?transactionReplay=true&user=root");
        assertThatThrownBy(() -> Slipring.open(Options.dataSource(source, "mariadb")))
                .isInstanceOf(StoreFailed.class)
                .hasMessageContaining("a connection of the data source has transactionReplay");
        try (Slipring slipring = Slipring.open(server.get().url(database));
                Connection caller = source.getConnection()) {
            Ring ring = slipring.create(RingSpec.named("replayed"));
            caller.setAutoCommit(false);
            assertThatThrownBy(() -> ring.join(caller).push(Message.of("x")))
                    .isInstanceOf(StoreFailed.class)
                    .hasMessageContaining("the connection has transactionReplay");
            assertThat(ring.info().pushed()).isZero();
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3})
    void aConnectionWhoseRollbackIsStoppedGoesBackWithNothingOpen(int stops) throws SQLException {
        Pool pool = new Pool(server, server.get().newDatabase());
        try (Slipring slipring = open(pool, "wait_timeout = 100")) {
            JdbcTransactor transactor = ((JdbcStore) slipring.store()).transactor();
            slipring.create(RingSpec.named("stopped"));
            pool.stops = stops;
            assertThatThrownBy(
                            () ->
                                    transactor.persist(
                                            own -> {
                                                String change = "UPDATE slipring_lane SET turn = 7";
                                                own.run(new Script().run(change));
                                                throw new IllegalStateException("by plan");
                                            }))
                    .hasMessage("by plan");
            assertThat(pool.taken.get()).isZero();
            assertThat(pool.kept.isClosed()).isEqualTo(stops > 1);
        }
        try (Connection look = server.get().connect("");
                Statement sql = look.createStatement()) {
            String open = "SELECT COUNT(*) FROM information_schema.innodb_trx";
            long deadline = System.nanoTime() + Duration.ofSeconds(20).toNanos();
            while (count(sql, open) > 0 && System.nanoTime() - deadline < 0) {
                // InnoDB refreshes the list of its transactions only for a session that has not
                // looked for a while.
                BetweenTries.sleep(Duration.ofMillis(150).toNanos());
            }
            assertThat(count(sql, open)).isZero();
        }
        pool.kept.close();
    }

    private static long count(Statement sql, String query) throws SQLException {
        try (ResultSet row = sql.executeQuery(query)) {
            row.next();
            return row.getLong(1);
        }
    }

    private static Slipring open(Pool pool, String setting) {
        pool.setting = setting;
        return Slipring.open(Options.dataSource(pool.source(), "mariadb"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"CHAIN", "RELEASE"})
    void aConnectionThatChainsTransactionsHasNoneInTheEnd(String type) throws SQLException {
        Pool pool = new Pool(server, server.get().newDatabase());
        try (Slipring slipring = open(pool, "completion_type = '" + type + "'")) {
            Ring ring = slipring.create(RingSpec.named("chained").lanes(2));
            for (int i = 0; i < 5; i++) {
                ring.push("x");
                try (Claim claim = ring.stage().claim(1, Duration.ZERO)) {
                    claim.fail(claim.deliveries().get(0), "by plan");
                }
            }
            assertThat(ring.info().pushed()).isEqualTo(5);
            assertThat(ring.check()).isEmpty();
        }
        try (Statement statement = pool.kept.createStatement();
                ResultSet row = statement.executeQuery("SELECT @@in_transaction")) {
            row.next();
            assertThat(row.getInt(1)).isZero();
        }
        pool.kept.close();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "sql_select_limit = 0",
                "sql_select_limit = 1000",
                "sql_mode = 'EMPTY_STRING_IS_NULL'",
                "sql_mode = 'ORACLE'",
                "timestamp = 1000000000",
                "TRANSACTION ISOLATION LEVEL READ UNCOMMITTED"
            })
    void aConnectionThatLosesRowsOrTextsIsRefused(String setting) throws SQLException {
        Pool pool = new Pool(server, server.get().newDatabase());
        assertThatThrownBy(() -> open(pool, setting))
                .isInstanceOf(StoreFailed.class)
                .hasMessageContaining("a connection of the data source has ");
        assertThat(pool.taken.get()).isZero();
        pool.kept.close();
    }

    /**
     * With these settings a caller would not see a ring's row, would lose empty texts, or would
     * have another time.
     */
    @ParameterizedTest
    @CsvSource({
        "sql_select_limit, 0, sql_select_limit set",
        "sql_select_limit, 1000, sql_select_limit set",
        "timestamp, 1000000000, timestamp set",
        "sql_mode, EMPTY_STRING_IS_NULL, EMPTY_STRING_IS_NULL in its sql_mode",
        "sql_mode, ORACLE, ORACLE in its sql_mode"
    })
    void aCallerWhoseRowsOrTimeAreOthersIsRefused(String variable, String value, String what)
            throws SQLException {
        String database = server.get().newDatabase();
        try (Slipring slipring = Slipring.open(server.get().url(database));
                Connection caller = server.get().connect(database);
                Statement statement = caller.createStatement()) {
            Ring ring = slipring.create(RingSpec.named("limited"));
            ring.push("x");
            Claim claim = ring.stage().claim(1, Duration.ZERO);
            statement.execute("SET SESSION " + variable + " = " + value);
            caller.setAutoCommit(false);
            String words = "the connection has " + what;
            assertThatThrownBy(() -> ring.join(caller).push(Message.of("y")))
                    .isInstanceOf(StoreFailed.class)
                    .hasMessageContaining(words);
            assertThatThrownBy(() -> ring.join(caller).done(claim))
                    .isInstanceOf(StoreFailed.class)
                    .hasMessageContaining(words);
            statement.execute("SET SESSION " + variable + " = DEFAULT");
            ring.join(caller).push(Message.of("y"));
            ring.join(caller).done(claim);
            caller.commit();
            assertThat(ring.info().pushed()).isEqualTo(2);
            assertThat(ring.check()).isEmpty();
        }
    }

    /** The printed schema may be piped into a client that has any mode set. */
    @Test
    void theModeOfWhoMakesTheSchemaDoesNotMatter() throws SQLException {
        String database = server.get().newDatabase();
        try (Connection client = server.get().connect(database);
                Statement statement = client.createStatement()) {
            statement.execute("SET SESSION sql_mode = 'ORACLE'");
            for (String script : new MySqlDialect().scripts()) {
                for (String sql : MySqlMigration.statements(script)) {
                    statement.execute(sql);
                }
            }
        }
        try (Slipring slipring = Slipring.open(server.get().url(database))) {
            Ring ring = slipring.create(RingSpec.named("made"));
            ring.push("x");
            ring.stage().claim(1, Duration.ZERO).done();
            assertThat(ring.check()).isEmpty();
        }
    }

    /**
     * A pool that gives the connection of the thread's own transaction is refused, and the
     * transaction is not committed.
     */
    @Test
    void aConnectionWithAnOpenTransactionIsRefused() throws SQLException {
        Pool pool = new Pool(server, server.get().newDatabase());
        try (Slipring slipring = open(pool, "wait_timeout = 100")) {
            Ring ring = slipring.create(RingSpec.named("own"));
            try (Statement statement = pool.kept.createStatement()) {
                statement.execute("CREATE TABLE mine (n INT) ENGINE = InnoDB");
                pool.kept.setAutoCommit(false);
                statement.execute("INSERT INTO mine VALUES (1)");
                assertThatThrownBy(() -> ring.push("x"))
                        .isInstanceOf(StoreFailed.class)
                        .hasMessageContaining("give Slipring the plain pool");
                pool.kept.rollback();
                assertThat(count(statement, "SELECT COUNT(*) FROM mine")).isZero();
                pool.kept.rollback();
            }
            assertThat(pool.taken.get()).isZero();
            pool.kept.setAutoCommit(false);
            ring.push("y");
            assertThat(ring.info().pushed()).isEqualTo(1);
        }
        pool.kept.close();
    }

    @Test
    void oneConnectionIsEnough() {
        Pool pool = new Pool(server, server.get().newDatabase());
        Options options = Options.dataSource(pool.source(), "mariadb");
        try (Slipring slipring = Slipring.open(options)) {
            assertThat(slipring.schema().installed()).isEqualTo(slipring.schema().current());
            Ring ring = slipring.create(RingSpec.named("pooled"));
            ring.push("x");
            try (Claim claim = ring.stage().claim(1, Duration.ZERO)) {
                claim.fail(claim.deliveries().get(0), "by plan");
            }
            assertThat(ring.info().pushed()).isEqualTo(1);
            assertThat(ring.check()).isEmpty();
        }
        assertThat(pool.taken.get()).isZero();
    }

    @Test
    void aDataSourceOfAnotherProductIsRefused() {
        Pool pool = new Pool(server, server.get().newDatabase());
        assertThatThrownBy(() -> Slipring.open(Options.dataSource(pool.source(), "sqlserver")))
                .isInstanceOf(StoreFailed.class)
                .hasMessage("the data source is not one of Microsoft SQL Server but of MariaDB");
        assertThat(pool.taken.get()).isZero();
    }

    @Test
    void aStoreThatIsClosedOpensNoMoreConnections() {
        Pool pool = new Pool(server, server.get().newDatabase());
        Slipring slipring = Slipring.open(Options.dataSource(pool.source(), "mariadb"));
        slipring.close();
        JdbcTransactor transactor = ((JdbcStore) slipring.store()).transactor();
        assertThatThrownBy(() -> transactor.ask(new Script().run("DO 0")))
                .isInstanceOf(StoreFailed.class)
                .hasMessageContaining("closed");
    }

    @Test
    void aConnectionThatIsOfNoUseGoesBack() {
        Pool pool = new Pool(server, server.get().newDatabase());
        pool.broken = true;
        Options options = Options.dataSource(pool.source(), "mariadb");
        assertThatThrownBy(() -> Slipring.open(options)).isInstanceOf(SlipringException.class);
        assertThat(pool.taken.get()).isZero();
    }
}
