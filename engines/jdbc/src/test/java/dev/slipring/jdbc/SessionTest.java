// SPDX-License-Identifier: Apache-2.0
package dev.slipring.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.slipring.OutcomeUnknown;
import dev.slipring.Slipring;
import dev.slipring.kit.server.Server;
import dev.slipring.kit.server.ServerFiles;

import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;

/** A connection that runs scripts. */
class SessionTest {

    @RegisterExtension private static final SharedServers SERVERS = new SharedServers();

    private static Connection connect(Server server) throws SQLException {
        return DriverManager.getConnection(
                "jdbc:mariadb:"
                        + server.url(server.newDatabase())
                                .replaceFirst("^[a-z]+:", "")
                                .replace("root@", "")
                        + "?user=root&allowMultiQueries=true&useServerPrepStmts=true");
    }

    /** A session goes on after a script has failed at any place. */
    @ParameterizedTest
    @EnumSource(names = {"MARIADB_11", "MYSQL_8"})
    @Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
    void anErrorAmongSeveralResultsKeepsNobodyWaiting(ServerFiles files) throws Exception {
        Server server = SERVERS.of(files);
        try (Connection connection = connect(server)) {
            Session session = new Session(connection, true, 1 << 20);
            List<String> read = new ArrayList<>();
            for (int i = 0; i < 3; i++) {
                Script wrong = new Script().run("BEGIN");
                wrong.read("SELECT ?", row -> {}, i).run("INSERT INTO not_there VALUES (?)", i);
                assertThatThrownBy(() -> session.run(wrong)).isInstanceOf(SqlFailed.class);
                session.run(new Script().run("ROLLBACK"));
                session.run(new Script().read("SELECT ?", row -> read.add(row.getString(1)), i));
            }
            assertThat(read).containsExactly("0", "1", "2");
            assertThat(session.isLost()).isFalse();
        }
    }

    /**
     * In a cluster, another node may interrupt a text of several statements, and the second half
     * may then be committed alone.
     */
    @Test
    void aNodeOfAClusterIsSentOneStatementAtATime() throws Exception {
        ServerFiles.MARIADB_11.whyNot().ifPresent(Assumptions::abort);
        try (Server server =
                        Server.start(
                                ServerFiles.MARIADB_11, "--wsrep-on=ON", "--binlog-format=ROW");
                Connection connection = connect(server);
                Statement statement = connection.createStatement()) {
            List<String> sent = new ArrayList<>();
            Connection recorded = recorded(connection, sent);
            Script two = new Script().run("DO 1").run("DO 2");
            new MySqlDialect().session(recorded, true, 1 << 20).run(two);
            assertThat(sent).containsExactly("DO 1", "DO 2");
            statement.execute("SET SESSION wsrep_on = OFF");
            new MySqlDialect().session(recorded, true, 1 << 20).run(two);
            assertThat(sent).hasSize(3);
        }
    }

    /** The same connection, which notes the statements that it prepares. */
    private static Connection recorded(Connection connection, List<String> sent) {
        return (Connection)
                Proxy.newProxyInstance(
                        SessionTest.class.getClassLoader(),
                        new Class<?>[] {Connection.class},
                        (proxy, method, values) -> {
                            if (method.getName().equals("prepareStatement")) {
                                sent.add((String) values[0]);
                            }
                            return method.invoke(connection, values);
                        });
    }

    /** A commit that somebody stops is distinguished from one during which the connection broke. */
    @Test
    void aStatementThatIsStoppedIsNoConnectionThatBroke() throws Exception {
        Server server = SERVERS.of(ServerFiles.MARIADB_11);
        String database = server.newDatabase();
        try (Slipring slipring = Slipring.open(server.url(database));
                Connection other = server.connect(database);
                Statement keeping = other.createStatement()) {
            other.setAutoCommit(false);
            keeping.execute("SELECT * FROM slipring_schema FOR UPDATE");
            JdbcTransactor transactor = ((JdbcStore) slipring.store()).transactor();
            String waits =
                    "SET STATEMENT max_statement_time = 0.1 FOR"
                            + " UPDATE slipring_schema SET version = 2";
            Script step = new Script().run(waits);
            assertThatThrownBy(
                            () ->
                                    transactor.persist(
                                            own -> {
                                                own.call(step);
                                                return null;
                                            }))
                    .isInstanceOf(OutcomeUnknown.class)
                    .hasMessageContainingAll(
                            "a statement was stopped or cut off on ", "max_statement_time");
        }
    }

    /**
     * Where memory runs out, the driver may leave off in the midst of an answer: it would take the
     * rest for the answer to the ROLLBACK, and the transaction would keep its locks.
     */
    @ParameterizedTest
    @EnumSource(names = {"MARIADB_11", "MYSQL_8"})
    @Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
    void aSessionInWhichMemoryRanOutEnds(ServerFiles files) throws Exception {
        Server server = SERVERS.of(files);
        try (Slipring slipring = Slipring.open(server.url(server.newDatabase()));
                Connection other = server.connect("mysql");
                Statement looking = other.createStatement()) {
            JdbcTransactor transactor = ((JdbcStore) slipring.store()).transactor();
            long[] session = new long[1];
            Script breaking =
                    new Script()
                            .read(
                                    "SELECT CONNECTION_ID()",
                                    row -> {
                                        session[0] = row.getLong(1);
                                        throw new OutOfMemoryError("by plan");
                                    });
            assertThatThrownBy(
                            () ->
                                    transactor.persist(
                                            own -> {
                                                own.run(breaking);
                                                return null;
                                            }))
                    .isInstanceOf(OutOfMemoryError.class);
            String alive = "SELECT 1 FROM information_schema.processlist WHERE id = " + session[0];
            long deadline = System.nanoTime() + 20_000_000_000L;
            while (looking.executeQuery(alive).next()) {
                assertThat(System.nanoTime()).as("its session ends").isLessThan(deadline);
            }
            assertThat(slipring.rings()).isEmpty();
        }
    }

    /** Sessions that are in use when all are given up are not used again, either. */
    @Test
    @Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
    void sessionsThatWereGivenUpDoNotComeBack() throws Exception {
        Server server = SERVERS.of(ServerFiles.MARIADB_11);
        try (Sessions sessions =
                new Sessions(() -> new Session(connect(server), true, 1 << 20), true)) {
            Session idle = sessions.take();
            Session used = sessions.take();
            sessions.give(idle, true);
            sessions.giveUp();
            assertThat(idle.connection().isClosed()).isTrue();
            assertThat(used.connection().isClosed()).isFalse();
            sessions.give(used, true);
            assertThat(used.connection().isClosed()).isTrue();
            Session next = sessions.take();
            assertThat(next).isNotIn(idle, used);
            sessions.give(next, true);
            assertThat(sessions.take()).isSameAs(next);
        }
    }

    /**
     * The character set that suits large values best stays set, and yet texts come through
     * unchanged.
     */
    @Test
    @Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
    void textsAreReadRightBehindLargeValues() throws Exception {
        byte[] large = new byte[100_000];
        // In the character set for large values the first two bytes are one character, so the quote
        // after them would be open.
        byte[] trap = {(byte) 0x81, '\\', '\''};
        String text = "zw\u00f6lf \ud83d\ude00 \\ '";
        Server server = SERVERS.of(ServerFiles.MYSQL_8);
        try (Connection connection = connect(server)) {
            Session session = new MySqlSession(connection, true, 1 << 20);
            Script length = new Script().read("SELECT LENGTH(?)", row -> {}, large);
            List<String> read = new ArrayList<>();
            session.run(length);
            session.run(
                    new Script()
                            .read("SELECT @@character_set_client", r -> read.add(r.getString(1))));
            session.run(new Script().read("SELECT ?", row -> read.add(row.getString(1)), text));
            session.run(length);
            Script several = new Script().read("SELECT ?", r -> read.add(r.getString(1)), text);
            several.read("SELECT HEX(?)", row -> read.add(row.getString(1)), trap);
            session.run(several);
            session.run(length);
            session.run(
                    new Script().read("SELECT HEX(?)", row -> read.add(row.getString(1)), trap));
            assertThat(read).containsExactly("gbk", text, text, "815C27", "815C27");
        }
    }
}
