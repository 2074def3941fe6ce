// SPDX-License-Identifier: Apache-2.0
package dev.slipring.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.slipring.Claim;
import dev.slipring.Message;
import dev.slipring.Options;
import dev.slipring.Ring;
import dev.slipring.Slipring;
import dev.slipring.StoreFailed;
import dev.slipring.engine.Slot;
import dev.slipring.engine.SlotCodec;
import dev.slipring.graph.RingSpec;
import dev.slipring.graph.StageSpec;
import dev.slipring.kit.server.RunningServer;
import dev.slipring.kit.server.ServerFiles;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.mariadb.jdbc.MariaDbDataSource;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/** Statements that somebody stops, and servers that come back with fewer rows. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Timeout(120)
abstract class ServerStops {

    /** The server shows its transactions as they were a moment ago. */
    private static final String NOTHING_IS_OPEN =
            "SELECT 1 FROM dual WHERE NOT EXISTS (SELECT 1 FROM information_schema.innodb_trx)";

    @RegisterExtension private final RunningServer server;

    ServerStops(ServerFiles files) {
        server = new RunningServer(files);
    }

    private static Ring ring(Slipring slipring) {
        StageSpec stage = StageSpec.named("main").lease(Duration.ofMinutes(10));
        return slipring.create(RingSpec.named("stops").lanes(1).graph(stage));
    }

    private static String ask(Statement sql, String query) throws SQLException {
        try (ResultSet row = sql.executeQuery(query)) {
            return row.next() ? row.getString(1) : null;
        }
    }

    /**
     * Waits for the first row of a query's answer. InnoDB refreshes the list of its transactions
     * only for a session that has not looked for a tenth of a second.
     */
    private static String await(Statement sql, String query) throws Exception {
        String answer = ask(sql, query);
        while (answer == null) {
            TimeUnit.MILLISECONDS.sleep(150);
            answer = ask(sql, query);
        }
        return answer;
    }

    /**
     * Waits until a session waits for a row of a database; returns its number. For other databases
     * the server may still show sessions that waited a moment ago.
     */
    private static String waiting(Statement sql, String database) throws Exception {
        return await(
                sql,
                "SELECT trx_mysql_thread_id FROM information_schema.innodb_trx"
                        + " JOIN information_schema.processlist ON id = trx_mysql_thread_id"
                        + " WHERE trx_state = 'LOCK WAIT' AND db = '"
                        + database
                        + "'");
    }

    /** A push that is stopped while it waits for a row begins anew, and leaves nothing open. */
    @Test
    void aPushThatIsStoppedLeavesNothingOpen() throws Exception {
        String database = server.get().newDatabase();
        try (Slipring slipring = Slipring.open(server.get().url(database));
                Connection other = server.get().connect(database);
                Connection controller = server.get().connect(database);
                Statement sql = controller.createStatement()) {
            Ring ring = ring(slipring);
            ring.push("the shape is known");
            other.setAutoCommit(false);
            other.createStatement().executeQuery("SELECT * FROM slipring_slot FOR UPDATE").close();
            CompletableFuture<Void> push =
                    CompletableFuture.runAsync(() -> ring.push("it is pushed once"));
            sql.execute("KILL QUERY " + waiting(sql, database));
            // The push has given up its locks before it tries again, on this connection or another.
            await(sql, "SELECT 1 FROM slipring_lane FOR UPDATE");
            other.rollback();
            push.get(20, TimeUnit.SECONDS);
            await(sql, NOTHING_IS_OPEN);
            assertThat(ring.info().pushed()).isEqualTo(2);
            assertThat(ring.check()).isEmpty();
        }
    }

    /** A push that is stopped after its commit is stored, and not reported as failed. */
    @Test
    void aPushThatIsStoppedBehindItsCommitIsPushed() throws Exception {
        String database = server.get().newDatabase();
        try (Slipring slipring = Slipring.open(server.get().url(database));
                Connection other = server.get().connect(database);
                Connection controller = server.get().connect(database);
                Statement sql = controller.createStatement()) {
            Ring ring = ring(slipring);
            ring.push("the shape is known");
            String slow =
                    Stream.of(JdbcSchema.script("mysql/push.sql").split("\\$\\$"))
                            .filter(text -> text.contains("PROCEDURE slipring_push("))
                            .findFirst()
                            .orElseThrow()
                            .replaceAll("(?m)--.*$", "")
                            .replace(
                                    "COMMIT AND NO CHAIN NO RELEASE;",
                                    "COMMIT; SELECT COUNT(*) INTO v_tries FROM slipring_id"
                                            + " FOR UPDATE;");
            sql.execute("DROP PROCEDURE slipring_push");
            sql.execute(slow);
            other.setAutoCommit(false);
            other.createStatement().executeQuery("SELECT * FROM slipring_id FOR UPDATE").close();
            CompletableFuture<Void> push =
                    CompletableFuture.runAsync(() -> ring.push("it is pushed once"));
            sql.execute("KILL QUERY " + waiting(sql, database));
            push.get(20, TimeUnit.SECONDS);
            assertThat(ring.info().pushed()).isEqualTo(2);
        }
    }

    /** Ends all other connections to a database; returns when stores check theirs before use. */
    private static void killAll(Statement sql, String database) throws Exception {
        String mine = "SELECT id FROM information_schema.processlist WHERE id <> ";
        String next = mine + "CONNECTION_ID() AND db = '" + database + "'";
        for (String id = ask(sql, next); id != null; id = ask(sql, next)) {
            sql.execute("KILL " + id);
            await(sql, "SELECT 1 WHERE NOT EXISTS (" + mine + "0 AND id = " + id + ")");
        }
        // A connection that was idle for this long is checked before it is used again.
        TimeUnit.MILLISECONDS.sleep(1_100);
    }

    /** A server may come back with fewer rows, and give the same numbers to other slots. */
    @Test
    void whatIsRememberedIsForgottenWithTheConnection() throws Exception {
        String database = server.get().newDatabase();
        try (Slipring worker = Slipring.open(server.get().url(database));
                Slipring pusher = Slipring.open(server.get().url(database));
                Connection controller = server.get().connect(database);
                Statement sql = controller.createStatement()) {
            Ring seen = ring(worker);
            Ring ring = pusher.ring("stops");
            ring.push("the shape is known");
            seen.stage().claim(1, Duration.ZERO).done();
            String before = ask(sql, "SELECT CONCAT_WS(',', head, turn, bytes) FROM slipring_lane");
            seen.push("lost with the server");
            String[] lane = before.split(",");
            sql.execute(
                    "UPDATE slipring_lane SET head = "
                            + lane[0]
                            + ", turn = "
                            + lane[1]
                            + ", bytes = "
                            + lane[2]);
            killAll(sql, database);
            ring.push("what is there now");
            Claim claim = seen.stage().claim(1, Duration.ZERO);
            assertThat(claim.deliveries().get(0).text()).isEqualTo("what is there now");
        }
    }

    /**
     * Nor is a push remembered that was under way meanwhile, as a call or, with several slots, as
     * statements.
     */
    @ParameterizedTest
    @ValueSource(ints = {1, 2})
    void aPushThatWasUnderWayMeanwhileIsNotRemembered(int slots) throws Exception {
        String database = server.get().newDatabase();
        try (Slipring slipring = Slipring.open(server.get().url(database));
                Connection other = server.get().connect(database);
                Connection controller = server.get().connect(database);
                Statement sql = controller.createStatement()) {
            Ring ring = ring(slipring);
            ring.push("the shape is known");
            long id = ring.info().shape().id();
            Memo memo = ((JdbcStore) slipring.store()).transactor().memo();
            push(slipring, slots);
            assertThat(memo.slots().get(id, 0, 1)).isNotNull();
            other.setAutoCommit(false);
            other.createStatement().executeQuery("SELECT * FROM slipring_slot FOR UPDATE").close();
            CompletableFuture<Void> push = CompletableFuture.runAsync(() -> push(slipring, slots));
            waiting(sql, database);
            memo.forgetCommitted();
            other.rollback();
            push.get(20, TimeUnit.SECONDS);
            for (int turn = 0; turn <= 2 * slots; turn++) {
                assertThat(memo.slots().get(id, 0, turn)).isNull();
            }
            assertThat(ring.info().pushed()).isEqualTo(1 + 2 * slots);
        }
    }

    private static void push(Slipring slipring, int slots) {
        byte[] body = SlotCodec.encode(List.of(Message.of("late")));
        Slot slot = new Slot(0, 0, 0, 1, body);
        slipring.store().push("stops", Collections.nCopies(slots, slot));
    }

    /** Nor is a lane remembered on which a process was alone: others may have moved it as often. */
    @Test
    void aLaneOfOnesOwnIsForgottenWithTheConnection() throws Exception {
        String database = server.get().newDatabase();
        try (Slipring slipring = Slipring.open(server.get().url(database));
                Slipring other = Slipring.open(server.get().url(database));
                Connection controller = server.get().connect(database);
                Statement sql = controller.createStatement()) {
            Ring ring = ring(slipring);
            JdbcTransactor transactor = ((JdbcStore) slipring.store()).transactor();
            Claim claim = ring.stage().claim(1, Duration.ZERO);
            while (transactor.memo().home(ring.info().shape().id()).back() == null) {
                ring.push("it goes along its lane");
                claim =
                        claim.isEmpty()
                                ? ring.stage().claim(1, Duration.ZERO)
                                : claim.doneAndNext(1, Duration.ZERO);
            }
            String moves = ask(sql, "SELECT moves FROM slipring_gate");
            ring.push("for somebody else");
            Claim taken = other.ring("stops").stage().claim(1, Duration.ZERO);
            assertThat(taken.deliveries()).hasSize(1);
            sql.execute("UPDATE slipring_gate SET moves = " + moves);
            killAll(sql, database);
            claim.done();
            taken.done();
            assertThat(ring.info().heldMessages()).isZero();
            assertThat(ring.check()).isEmpty();
        }
    }

    /** A database that is made anew has the ids of the old one, but is not taken for it. */
    @Test
    void aDatabaseThatIsMadeAnewIsNotTakenForTheOldOne() throws Exception {
        String database = server.get().newDatabase();
        try (Slipring slipring = Slipring.open(server.get().url(database))) {
            Ring ring = ring(slipring);
            ring.pushAll(Stream.of("old 1", "old 2", "old 3").map(Message::of).toList());
            ring.push("old 4");
            server.get().run("DROP DATABASE " + database);
            server.get().run("CREATE DATABASE " + database);
            try (Slipring other = Slipring.open(server.get().url(database))) {
                Ring anew = ring(other);
                anew.pushAll(Stream.of("new 1", "new 2", "new 3").map(Message::of).toList());
                anew.push("new 4");
                List<String> texts = new ArrayList<>();
                Claim claim = ring.stage().claim(9, Duration.ZERO);
                while (!claim.isEmpty()) {
                    claim.deliveries().forEach(delivery -> texts.add(delivery.text()));
                    claim = claim.doneAndNext(9, Duration.ZERO);
                }
                assertThat(texts).containsExactly("new 1", "new 2", "new 3", "new 4");
                assertThat(anew.check()).isEmpty();
            }
        }
    }

    @Test
    void aRingForWhichThereIsNoIdIsRefused() {
        String database = server.get().newDatabase();
        try (Slipring slipring = Slipring.open(server.get().url(database))) {
            server.get().run("UPDATE " + database + ".slipring_id SET next = " + ((1 << 23) - 2));
            Ring last = slipring.create(RingSpec.named("last").lanes(1));
            last.push("x");
            last.stage().claim(1, Duration.ZERO).done();
            assertThatThrownBy(() -> slipring.create(RingSpec.named("further")))
                    .isInstanceOf(StoreFailed.class)
                    .hasMessageContaining("the ids of rings in this store");
            assertThat(last.check()).isEmpty();
        }
    }

    /** A process that waited while another made the schema does not make it again: it is in use. */
    @Test
    void aSchemaThatWasMadeMeanwhileIsNotMadeAgain() throws Exception {
        String database = server.get().newDatabase();
        try (Connection controller = server.get().connect(database);
                Statement sql = controller.createStatement()) {
            ask(sql, "SELECT GET_LOCK('slipring_migrate', 0)");
            CompletableFuture<Void> opening =
                    CompletableFuture.runAsync(
                            () -> Slipring.open(server.get().url(database)).close());
            await(
                    sql,
                    "SELECT 1 FROM information_schema.processlist WHERE db = '"
                            + database
                            + "' AND state = 'User lock'");
            sql.execute("CREATE TABLE slipring_schema (id INT PRIMARY KEY, version INT)");
            sql.execute("INSERT INTO slipring_schema VALUES (1, 1)");
            ask(sql, "SELECT RELEASE_LOCK('slipring_migrate')");
            opening.get(20, TimeUnit.SECONDS);
            String made = "SELECT COUNT(*) FROM information_schema.tables WHERE table_schema = '";
            assertThat(ask(sql, made + database + "'")).isEqualTo("1");
        }
    }

    @Test
    void aNewerSchemaIsRefused() throws Exception {
        String database = server.get().newDatabase();
        Options there = Options.url(server.get().url(database));
        Slipring.open(there).close();
        server.get().run("UPDATE " + database + ".slipring_schema SET version = 7");
        for (Options each : List.of(there, there.withoutMigration())) {
            assertThatThrownBy(() -> Slipring.open(each).close())
                    .hasMessageContaining("newer Slipring: schema 7, this one knows 1");
        }
    }

    /** Procedures keep the SQL mode of the session that made them, such as one of a pool. */
    @Test
    void theModeOfAPoolDoesNotMatter() throws Exception {
        String database = server.get().newDatabase();
        server.get()
                .run("SET GLOBAL sql_mode = 'ANSI_QUOTES,NO_BACKSLASH_ESCAPES,PIPES_AS_CONCAT'");
        MariaDbDataSource pool = new MariaDbDataSource();
        pool.setUrl(
                "jdbc:mariadb://127.0.0.1:" + server.get().port() + "/" + database + "?user=root");
        try (Slipring slipring = Slipring.open(Options.dataSource(pool, "mariadb"))) {
            Ring ring = ring(slipring);
            ring.pushAll(Stream.of("a", "b", "c").map(Message::of).toList());
            Claim first = ring.stage().claim(1, Duration.ZERO);
            Claim second = ring.stage().claim(1, Duration.ZERO);
            Claim third = ring.stage().claim(1, Duration.ZERO);
            assertThat(second.deliveries().get(0).text()).isEqualTo("b");
            second.done();
            first.done();
            third.done();
            assertThat(ring.check()).isEmpty();
            assertThat(ring.info().heldMessages()).isZero();
        } finally {
            server.get().run("SET GLOBAL sql_mode = DEFAULT");
        }
    }

    @Test
    void noConnectionIsLeft() throws Exception {
        String url = server.get().url(server.get().newDatabase());
        Slipring.open(url).close();
        List<Connection> all = new ArrayList<>();
        all.add(server.get().connect(""));
        try (Statement sql = all.get(0).createStatement()) {
            String before = ask(sql, "SELECT @@max_connections");
            sql.execute("SET GLOBAL max_connections = 10");
            try {
                takeAll(all);
                assertThatThrownBy(() -> Slipring.open(url))
                        .isInstanceOf(StoreFailed.class)
                        .hasMessageContainingAll("no connection left", "raise max_connections");
            } finally {
                sql.execute("SET GLOBAL max_connections = " + before);
            }
        } finally {
            for (Connection taken : all) {
                taken.close();
            }
        }
    }

    private void takeAll(List<Connection> all) {
        try {
            while (all.size() < 1_000) {
                all.add(server.get().connect(""));
            }
        } catch (SQLException full) {
            return;
        }
        throw new AssertionError("there are always more connections");
    }
}
