// SPDX-License-Identifier: Apache-2.0
package dev.slipring.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.slipring.Claim;
import dev.slipring.Delivery;
import dev.slipring.Message;
import dev.slipring.Options;
import dev.slipring.Ring;
import dev.slipring.Slipring;
import dev.slipring.StoreFailed;
import dev.slipring.StoreUnreachable;
import dev.slipring.graph.RingSpec;
import dev.slipring.graph.StageSpec;
import dev.slipring.kit.server.Server;
import dev.slipring.kit.server.ServerFiles;

import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.mariadb.jdbc.MariaDbDataSource;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/** Settings that somebody has made for all connections of a server. */
class SettingsTest {

    @RegisterExtension private static final SharedServers SERVERS = new SharedServers();

    /** Escapes of a URL are decoded in the name of a database, too. */
    @ParameterizedTest
    @EnumSource(names = {"MARIADB_11", "MYSQL_8"})
    void aDatabaseIsNamedAsUrlsNameThings(ServerFiles files) {
        Server server = SERVERS.of(files);
        server.run("CREATE DATABASE `odd 5%`");
        for (String name : List.of("odd 5%25", "odd%205%25")) {
            try (Slipring slipring = Slipring.open(server.url(name))) {
                slipring.create(RingSpec.named("r")).push("x");
                assertThat(slipring.ring("r").check()).isEmpty();
            }
        }
        assertThatThrownBy(() -> Slipring.open(server.url("a%3Fb")))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("'?'");
    }

    @ParameterizedTest
    @EnumSource(names = {"MARIADB_11", "MYSQL_8"})
    void limitsForEverybodyDoNotMatter(ServerFiles files) {
        files.whyNot().ifPresent(Assumptions::abort);
        try (Server server = Server.start(files)) {
            server.run("SET GLOBAL sql_select_limit = 1");
            server.run("SET GLOBAL max_join_size = 10");
            server.run("SET GLOBAL completion_type = 'CHAIN'");
            try (Slipring slipring = Slipring.open(server.url(server.newDatabase()))) {
                Ring ring =
                        slipring.create(
                                RingSpec.named("whole")
                                        .graph(StageSpec.named("a").then("b").then("c")));
                ring.pushAll(Stream.of("1", "2", "3").map(Message::of).toList());
                ring.push("4");
                for (String stage : new String[] {"a", "b", "c"}) {
                    for (int done = 0; done < 4; ) {
                        Claim claim = ring.stage(stage).claim(4, Duration.ofSeconds(5));
                        done += claim.deliveries().size();
                        claim.done();
                    }
                }
                assertThat(ring.info().heldMessages()).isZero();
                assertThat(ring.check()).isEmpty();
            }
        }
    }

    /**
     * What a process kept that has disappeared becomes free in the end. A process that waits for an
     * answer that does not come waits no longer than that, either.
     */
    @ParameterizedTest
    @EnumSource(names = {"MARIADB_11", "MYSQL_8"})
    void whoIsGoneKeepsNothingForHours(ServerFiles files) {
        boolean isMariaDb = files == ServerFiles.MARIADB_11;
        List<Long> seconds = new ArrayList<>();
        Server server = SERVERS.of(files);
        try (Slipring slipring = Slipring.open(server.url(server.newDatabase()))) {
            for (String setting : List.of("wait_timeout", "idle_transaction_timeout")) {
                if (isMariaDb || setting.equals("wait_timeout")) {
                    ((JdbcStore) slipring.store())
                            .transactor()
                            .ask(
                                    new Script()
                                            .read(
                                                    "SELECT @@" + setting,
                                                    row -> seconds.add(row.getLong(1))));
                }
            }
        }
        assertThat(seconds).isEqualTo(isMariaDb ? List.of(60L, 30L) : List.of(60L));
    }

    /** If the server has ended an idle session, it is replaced, and a push does not notice. */
    @ParameterizedTest
    @EnumSource(names = {"MARIADB_11", "MYSQL_8"})
    void anIdleSessionThatTheServerEndsIsReplaced(ServerFiles files) throws Exception {
        Server server = SERVERS.of(files);
        try (Slipring slipring = Slipring.open(server.url(server.newDatabase()))) {
            Ring ring = slipring.create(RingSpec.named("idle"));
            ring.push("1");
            Sessions sessions = ((JdbcStore) slipring.store()).transactor().sessions();
            Session session = sessions.take();
            session.run(new Script().run("SET SESSION wait_timeout = 1"));
            sessions.give(session, true);
            TimeUnit.MILLISECONDS.sleep(3_000);
            ring.push("2");
            Claim claim = ring.stage().claim(9, Duration.ofSeconds(5));
            assertThat(claim.deliveries()).extracting(Delivery::text).contains("1");
            claim.done();
            assertThat(ring.check()).isEmpty();
        }
    }

    /**
     * After a switchover the server that was written to is read-only, and another one takes writes.
     */
    @Test
    void aServerThatIsReadOnlyIsLeft() throws Exception {
        ServerFiles.MYSQL_8.whyNot().ifPresent(Assumptions::abort);
        try (Server server = Server.start(ServerFiles.MYSQL_8)) {
            String database = server.newDatabase();
            server.run("CREATE USER shop@'127.0.0.1' IDENTIFIED BY ''");
            server.run("GRANT ALL ON " + database + ".* TO shop@'127.0.0.1'");
            try (Slipring slipring = Slipring.open(server.url(database).replace("root@", "shop@"));
                    Connection look = server.connect("");
                    Statement sql = look.createStatement()) {
                Ring ring = slipring.create(RingSpec.named("left"));
                ring.push("1");
                assertThat(sessions(sql)).isNotEmpty();
                server.run("SET GLOBAL read_only = 1");
                assertThatThrownBy(() -> ring.push("2"))
                        .isInstanceOf(StoreFailed.class)
                        .hasMessageContaining("is read-only");
                long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(20);
                while (!sessions(sql).isEmpty() && System.nanoTime() - deadline < 0) {
                    TimeUnit.MILLISECONDS.sleep(10);
                }
                assertThat(sessions(sql)).isEmpty();
                server.run("SET GLOBAL read_only = 0");
                ring.push("3");
                assertThat(ring.info().pushed()).isEqualTo(2);
                assertThat(ring.check()).isEmpty();
            }
        }
    }

    /**
     * The same holds if only one session is read-only, which a test can set without rights that not
     * all servers here give.
     */
    @ParameterizedTest
    @EnumSource(names = {"MARIADB_11", "MYSQL_8"})
    void aSessionThatIsReadOnlyIsLeft(ServerFiles files) {
        Server server = SERVERS.of(files);
        try (Slipring slipring = Slipring.open(server.url(server.newDatabase()))) {
            Ring ring = slipring.create(RingSpec.named("left"));
            ring.push("1");
            Sessions sessions = ((JdbcStore) slipring.store()).transactor().sessions();
            Session session = sessions.take();
            session.run(new Script().run("SET SESSION TRANSACTION READ ONLY"));
            sessions.give(session, true);
            assertThatThrownBy(() -> ring.push("2"))
                    .isInstanceOf(StoreFailed.class)
                    .hasMessageContaining("is read-only");
            ring.push("3");
            assertThat(ring.info().pushed()).isEqualTo(2);
            assertThat(ring.check()).isEmpty();
        }
    }

    /**
     * An error for another reason, here a server without grants, is not taken for a read-only
     * server: the session is kept.
     */
    @Test
    void aServerThatIsSetOtherwiseIsNotReadOnly() {
        Server server = SERVERS.of(ServerFiles.MARIADB_11);
        try (Slipring slipring = Slipring.open(server.url(server.newDatabase()))) {
            JdbcTransactor transactor = ((JdbcStore) slipring.store()).transactor();
            Session before = transactor.sessions().take();
            transactor.sessions().give(before, true);
            assertThatThrownBy(
                            () ->
                                    transactor.persist(
                                            own -> {
                                                own.look(new Script().run("CREATE USER shop"));
                                                return null;
                                            }))
                    .isInstanceOf(StoreFailed.class)
                    .hasMessageContainingAll("could not do it", "--skip-grant-tables");
            assertThat(transactor.sessions().take()).isSameAs(before);
        }
    }

    private static List<Long> sessions(Statement sql) throws SQLException {
        List<Long> sessions = new ArrayList<>();
        String all = "SELECT id FROM information_schema.processlist WHERE user = 'shop'";
        try (ResultSet row = sql.executeQuery(all)) {
            while (row.next()) {
                sessions.add(row.getLong(1));
            }
        }
        return sessions;
    }

    /** The driver would ignore a misspelt option, and go on without what it was meant to do. */
    @ParameterizedTest
    @ValueSource(strings = {"mariadb", "mysql"})
    void aMisspeltOptionIsRefused(String name) {
        assertThatThrownBy(() -> Slipring.open(name + "://127.0.0.1:1/x?sslMod=verify-full"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("no option 'sslMod'");
        assertThatThrownBy(() -> Slipring.open(name + "://127.0.0.1:1/x?sslMode=perhaps"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("perhaps");
    }

    /** Nor would anybody learn of one without a value. It may be a part of a password. */
    @ParameterizedTest
    @ValueSource(strings = {"?sslMode", "?user=me&sslMode:verify-full", "?=verify-full"})
    void anOptionWithoutAValueIsRefused(String options) {
        for (String name : List.of("mariadb", "mysql", "sqlserver")) {
            assertThatThrownBy(() -> Slipring.open(name + "://127.0.0.1:1/x" + options))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("name=value")
                    .hasMessageNotContaining("ssl");
        }
    }

    /** The driver fails there with an error of Java, which would end a thread that tries again. */
    @ParameterizedTest
    @EnumSource(names = {"MARIADB_11", "MYSQL_8"})
    void whatIsRefusedBeforeAllElseIsSaidInWords(ServerFiles files) {
        Server server = SERVERS.of(files);
        String url = server.url(server.newDatabase()) + "?sessionVariables=no_such_thing=1";
        assertThatThrownBy(() -> Slipring.open(url))
                .isInstanceOf(StoreFailed.class)
                .hasMessageContaining("no_such_thing");
    }

    @ParameterizedTest
    @ValueSource(strings = {"mariadb", "mysql"})
    void oneStatementAtATimeIsRefused(String name) {
        String url = name + "://127.0.0.1:1/x?AllowMultiQueries=";
        for (String value : List.of("false", "0", "")) {
            assertThatThrownBy(() -> Slipring.open(url + value))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("leave out the option 'AllowMultiQueries'");
        }
        assertThatThrownBy(() -> Slipring.open(url + "true")).isInstanceOf(StoreUnreachable.class);
    }

    /**
     * A driver that is set to send less would refuse by itself what the server takes, and close the
     * connection.
     */
    @ParameterizedTest
    @EnumSource(names = {"MARIADB_11", "MYSQL_8"})
    void aDriverThatSendsLessIsMadeDoWith(ServerFiles files) throws Exception {
        Server server = SERVERS.of(files);
        String url = server.url(server.newDatabase());
        byte[] body = new byte[1_000_000];
        String less = "?maxAllowedPacket=200000";
        MariaDbDataSource source =
                new MariaDbDataSource(
                        url.replaceFirst("^[a-z]+://root@", "jdbc:mariadb://")
                                + less
                                + "&user=root");
        try (Slipring slipring = Slipring.open(url + less);
                Slipring whole = Slipring.open(url);
                Slipring pooled = Slipring.open(Options.dataSource(source, "mariadb"));
                Connection caller = source.getConnection()) {
            Ring ring = slipring.create(RingSpec.named("packets").lanes(1));
            ring.push(Message.of(body));
            pooled.ring("packets").push(Message.of(body));
            caller.setAutoCommit(false);
            whole.ring("packets").join(caller).push(Message.of(body));
            caller.commit();
            Claim claim = ring.stage().claim(9, Duration.ofSeconds(20));
            assertThat(claim.deliveries()).hasSize(3);
            assertThat(claim.deliveries().get(2).body()).isEqualTo(body);
            claim.done();
            assertThat(ring.check()).isEmpty();
        }
        assertThatThrownBy(() -> Slipring.open(url + "?maxAllowedPacket=65535"))
                .isInstanceOf(StoreFailed.class)
                .hasMessageContaining("option maxAllowedPacket");
    }

    /** MariaDB's driver believes that auto-commit is on then, and turning it on changes nothing. */
    @Test
    void autoCommitThatIsOffForEverybodyIsNoticed() throws Exception {
        ServerFiles.MYSQL_8.whyNot().ifPresent(Assumptions::abort);
        try (Server server = Server.start(ServerFiles.MYSQL_8, "--autocommit=0")) {
            String url = server.url(server.newDatabase());
            try (Slipring slipring = Slipring.open(url)) {
                slipring.create(RingSpec.named("off")).push("1");
            }
            String plain = url.replaceFirst("^[a-z]+://root@", "jdbc:mariadb://") + "?user=root";
            MariaDbDataSource source = new MariaDbDataSource(plain);
            assertThatThrownBy(() -> Slipring.open(Options.dataSource(source, "mysql")))
                    .isInstanceOf(StoreFailed.class)
                    .hasMessageContaining("with autocommit=true in its URL");
            source.setUrl(plain + "&autocommit=true");
            try (Slipring slipring = Slipring.open(Options.dataSource(source, "mysql"));
                    Connection caller = source.getConnection()) {
                Ring ring = slipring.ring("off");
                ring.push("2");
                caller.setAutoCommit(false);
                ring.join(caller).push(Message.of("3"));
                caller.commit();
                assertThat(ring.info().pushed()).isEqualTo(3);
                assertThat(ring.check()).isEmpty();
            }
        }
    }

    /**
     * If a statement cannot be prepared, MariaDB executes the one before it again, if both orders
     * were sent together.
     */
    @ParameterizedTest
    @EnumSource(names = {"MARIADB_11", "MYSQL_8"})
    void whereNothingCanBePreparedNothingElseIsExecuted(ServerFiles files) {
        files.whyNot().ifPresent(Assumptions::abort);
        try (Server server = Server.start(files);
                Slipring slipring = Slipring.open(server.url(server.newDatabase()))) {
            JdbcTransactor transactor = ((JdbcStore) slipring.store()).transactor();
            transactor.ask(new Script().run("CREATE TABLE one (n INT)"));
            transactor.ask(new Script().run("CREATE TABLE other (n INT)"));
            transactor.ask(new Script().run("INSERT INTO one VALUES (?)", 1));
            server.run(
                    "SET GLOBAL max_prepared_stmt_count = " + server.status("Prepared_stmt_count"));
            Script next = new Script().run("INSERT INTO other VALUES (?)", 2);
            assertThatThrownBy(() -> transactor.ask(next))
                    .isInstanceOf(StoreFailed.class)
                    .hasMessageContaining("raise max_prepared_stmt_count");
            server.run("SET GLOBAL max_prepared_stmt_count = 16382");
            List<String> found = new ArrayList<>();
            String all = "SELECT 'one', n FROM one UNION ALL SELECT 'other', n FROM other";
            transactor.ask(
                    new Script().read(all, row -> found.add(row.getString(1) + row.getInt(2))));
            assertThat(found).containsExactly("one1");
        }
    }

    @Test
    void aLogOfStatementsIsRefusedInWords() {
        ServerFiles.MYSQL_8.whyNot().ifPresent(Assumptions::abort);
        try (Server server = Server.start(ServerFiles.MYSQL_8)) {
            server.run("SET GLOBAL binlog_format = 'STATEMENT'");
            String url = server.url(server.newDatabase());
            assertThatThrownBy(
                            () -> {
                                try (Slipring slipring = Slipring.open(url)) {
                                    slipring.create(RingSpec.named("orders")).push("one");
                                }
                            })
                    .isInstanceOf(StoreFailed.class)
                    .hasMessageContaining("set binlog_format to MIXED or ROW");
        }
    }
}
