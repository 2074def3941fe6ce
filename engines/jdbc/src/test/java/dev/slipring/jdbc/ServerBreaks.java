// SPDX-License-Identifier: Apache-2.0
package dev.slipring.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.slipring.Claim;
import dev.slipring.Delivery;
import dev.slipring.Listener;
import dev.slipring.Message;
import dev.slipring.Options;
import dev.slipring.OutcomeUnknown;
import dev.slipring.Ring;
import dev.slipring.Slipring;
import dev.slipring.SlipringException;
import dev.slipring.StoreFailed;
import dev.slipring.WorkOptions;
import dev.slipring.Workers;
import dev.slipring.engine.Engines;
import dev.slipring.engine.Opening;
import dev.slipring.engine.Waits;
import dev.slipring.graph.RingSpec;
import dev.slipring.graph.StageSpec;
import dev.slipring.kit.server.RunningServer;
import dev.slipring.kit.server.ServerFiles;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.RegisterExtension;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/** Servers that are set oddly or break, and callers that keep locks. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class ServerBreaks {

    @RegisterExtension private final RunningServer server;

    ServerBreaks(ServerFiles files) {
        server = new RunningServer(files);
    }

    private static List<String> take(Ring ring) {
        List<String> all = new ArrayList<>();
        ring.stage().drain(delivery -> all.add(delivery.text()));
        return all;
    }

    @Test
    void aSchemaThatIsNotThereIsLookedAt() throws Exception {
        Options existing = Options.url(server.get().url(server.get().newDatabase())).existingOnly();
        assertThatThrownBy(() -> Slipring.open(existing))
                .isInstanceOf(StoreFailed.class)
                .hasMessageContaining("no schema of Slipring");
        try (Slipring slipring = Slipring.open(existing.withoutMigration())) {
            assertThat(slipring.schema().installed()).isZero();
        }
    }

    @Test
    void whatWasPushedSurvivesTheServer() throws Exception {
        String url = server.get().url(server.get().newDatabase());
        try (Slipring slipring = Slipring.open(url)) {
            Ring ring = slipring.create(RingSpec.named("power"));
            List<String> said = new CopyOnWriteArrayList<>();
            Thread killer =
                    new Thread(
                            () -> {
                                try {
                                    while (said.size() < 200) {
                                        Thread.sleep(1);
                                    }
                                    server.get().kill();
                                } catch (InterruptedException e) {
                                    throw new IllegalStateException(e);
                                }
                            });
            killer.start();
            String last = "";
            try {
                for (int i = 0; ; i++) {
                    last = "" + i;
                    ring.push(last);
                    said.add(last);
                }
            } catch (StoreFailed | OutcomeUnknown e) {
                assertThat(e).hasMessageContaining("127.0.0.1");
            }
            killer.join();
            server.get().launch();
            List<String> found = take(ring);
            assertThat(found).containsAll(said).doesNotHaveDuplicates();
            said.add(last);
            assertThat(said).as("nothing that was never pushed").containsAll(found);
            assertThat(ring.check()).isEmpty();
        }
    }

    @Test
    void whatWasHandledIsSaidWhenTheServerIsBack() throws Exception {
        CountDownLatch broke = new CountDownLatch(1);
        Listener hears =
                new Listener() {
                    @Override
                    public void storeFailed(String ring, SlipringException error) {
                        broke.countDown();
                    }
                };
        String url = server.get().url(server.get().newDatabase());
        List<String> handled = new CopyOnWriteArrayList<>();
        try (Slipring slipring = Slipring.open(Options.url(url).listener(hears))) {
            StageSpec stage = StageSpec.named("main").lease(Duration.ofHours(1));
            Ring ring = slipring.create(RingSpec.named("back").graph(stage));
            ring.pushAll(Stream.of("0", "1", "2", "3").map(Message::of).toList());
            try (Workers workers =
                    ring.stage()
                            .work(
                                    WorkOptions.threads(1).batch(1),
                                    delivery -> {
                                        if (delivery.text().equals("1")) {
                                            server.get().kill();
                                        }
                                        handled.add(delivery.text());
                                    })) {
                assertThat(broke.await(60, TimeUnit.SECONDS)).isTrue();
                server.get().launch();
                assertThat(ring.drain(Duration.ofSeconds(60))).isTrue();
            }
            assertThat(handled).containsExactly("0", "1", "2", "3");
            assertThat(ring.info().stages().get(0).redelivered()).isZero();
        }
    }

    @Test
    void aSmallPacketIsMadeDoWith() {
        server.get().run("SET GLOBAL max_allowed_packet = 131072");
        try (Slipring slipring = Slipring.open(server.get().url(server.get().newDatabase()))) {
            Ring ring =
                    slipring.create(
                            RingSpec.named("packet").graph(StageSpec.named("main").tries(1)));
            byte[] body = new byte[3 << 20];
            new Random(1).nextBytes(body);
            ring.push(Message.of(body));
            Claim claim = ring.stage().claim(1, Duration.ofSeconds(5));
            assertThat(claim.deliveries().get(0).body()).isEqualTo(body);
            claim.fail(claim.deliveries().get(0), "no");
            assertThat(ring.stage().deadLetters(9).get(0).delivery().body()).isEqualTo(body);
            assertThat(ring.check()).isEmpty();
        } finally {
            server.get().run("SET GLOBAL max_allowed_packet = 16777216");
        }
    }

    @Test
    void aTinyPacketIsRefused() {
        server.get().run("SET GLOBAL max_allowed_packet = 16384");
        try {
            String url = server.get().url(server.get().newDatabase());
            assertThatThrownBy(() -> Slipring.open(url))
                    .isInstanceOf(SlipringException.class)
                    .hasMessageContaining("max_allowed_packet");
        } finally {
            server.get().run("SET GLOBAL max_allowed_packet = 16777216");
        }
    }

    @Test
    void modesEnginesAndCharacterSetsDoNotMatter() throws Exception {
        String database = server.get().newDatabase();
        server.get().run("ALTER DATABASE " + database + " CHARACTER SET utf8mb3");
        server.get().run("SET GLOBAL default_storage_engine = 'MyISAM'");
        server.get()
                .run("SET GLOBAL sql_mode = 'ANSI_QUOTES,NO_BACKSLASH_ESCAPES,PIPES_AS_CONCAT'");
        String words = "🜛 \\ 'quoted' \"twice\"";
        try (Slipring slipring = Slipring.open(server.get().url(database));
                Connection connection = server.get().connect(database);
                Statement sql = connection.createStatement()) {
            Ring ring =
                    slipring.create(RingSpec.named("odd").graph(StageSpec.named("main").tries(1)));
            connection.setAutoCommit(false);
            ring.join(connection).push(Message.of(words).key(words));
            connection.commit();
            Claim claim = ring.stage().claim(1, Duration.ofSeconds(5));
            Delivery delivery = claim.deliveries().get(0);
            assertThat(delivery.text()).isEqualTo(words);
            assertThat(delivery.key()).isEqualTo(words);
            ring.join(connection).fail(claim, delivery, words);
            connection.commit();
            assertThat(ring.stage().deadLetters(9).get(0).error()).isEqualTo(words);
            try (ResultSet row =
                    sql.executeQuery(
                            "SELECT COUNT(*) FROM information_schema.tables"
                                    + " WHERE table_name LIKE 'slipring%' AND engine <> 'InnoDB'"
                                    + " AND table_schema = '"
                                    + database
                                    + "'")) {
                row.next();
                assertThat(row.getInt(1)).isZero();
            }
        } finally {
            server.get().run("SET GLOBAL default_storage_engine = 'InnoDB'");
            server.get().run("SET GLOBAL sql_mode = DEFAULT");
        }
    }

    @Test
    void aLostSlotIsNoticed() throws Exception {
        String database = server.get().newDatabase();
        try (Slipring slipring = Slipring.open(server.get().url(database));
                Connection connection = server.get().connect(database);
                Statement sql = connection.createStatement()) {
            Ring ring = slipring.create(RingSpec.named("lost").lanes(1));
            assertThat(sql.executeUpdate("DELETE FROM slipring_slot WHERE cell < 10"))
                    .isEqualTo(10);
            ring.push("a free slot is made anew");
            assertThat(take(ring)).containsExactly("a free slot is made anew");
            ring.push("gone");
            ring.push("after");
            sql.executeUpdate("DELETE FROM slipring_slot WHERE cell = 1");
            try (Slipring other = Slipring.open(server.get().url(database))) {
                Ring seen = other.ring("lost");
                assertThatThrownBy(() -> seen.stage().claim(9, Duration.ZERO))
                        .hasMessageContaining("are not there")
                        .hasMessageContaining("slipring check");
                assertThat(seen.check()).isNotEmpty();
            }
        }
    }

    @Test
    void aLaneGrowsAndShrinksWithItsSlots() throws Exception {
        String database = server.get().newDatabase();
        try (Slipring slipring = Slipring.open(server.get().url(database));
                Connection connection = server.get().connect(database);
                Statement sql = connection.createStatement()) {
            Ring ring = slipring.create(RingSpec.named("grow").lanes(1));
            List<String> pushed = new ArrayList<>();
            for (int i = 0; i < 300; i++) {
                ring.push("" + i);
                pushed.add("" + i);
            }
            assertThat(ring.check()).isEmpty();
            assertThat(take(ring)).containsExactlyElementsOf(pushed);
            for (int i = 0; i < 700; i++) {
                ring.push("again");
                assertThat(take(ring)).containsExactly("again");
            }
            try (ResultSet row = sql.executeQuery("SELECT COUNT(*) FROM slipring_slot")) {
                row.next();
                assertThat(row.getInt(1)).as("the first extent is gone").isEqualTo(512);
            }
            assertThat(ring.check()).isEmpty();
        }
    }

    @Test
    void anOpenPushDoesNotHoldUpTheOthers() throws Exception {
        String database = server.get().newDatabase();
        try (Slipring slipring = Slipring.open(server.get().url(database));
                Connection connection = server.get().connect(database)) {
            Ring ring = slipring.create(RingSpec.named("open"));
            connection.setAutoCommit(false);
            ring.join(connection).push(Message.of("late"));
            for (int i = 0; i < 20; i++) {
                ring.push("" + i);
            }
            assertThat(take(ring)).hasSize(20);
            connection.commit();
            assertThat(take(ring)).containsExactly("late");
        }
    }

    @Test
    void aDoneThatIsRolledBackIsHandedOn() throws Exception {
        String database = server.get().newDatabase();
        try (Slipring slipring = Slipring.open(server.get().url(database));
                Connection connection = server.get().connect(database)) {
            StageSpec stage = StageSpec.named("main").lease(Duration.ofSeconds(10));
            Ring ring = slipring.create(RingSpec.named("undone").lanes(1).graph(stage));
            ring.push("x");
            Claim first = ring.stage().claim(1, Duration.ofSeconds(5));
            connection.setAutoCommit(false);
            ring.join(connection).done(first);
            CompletableFuture<Claim> next =
                    CompletableFuture.supplyAsync(
                            () -> ring.stage().claim(1, Duration.ofSeconds(60)));
            Thread.sleep(10_500);
            assertThat(next).isNotDone();
            connection.rollback();
            Claim second = next.get(60, TimeUnit.SECONDS);
            assertThat(second.deliveries().get(0).attempt()).isEqualTo(2);
        }
    }

    @Test
    void aDeadlockOfACallerIsHisToRetry() throws Exception {
        String database = server.get().newDatabase();
        try (Slipring slipring = Slipring.open(server.get().url(database));
                Connection one = server.get().connect(database);
                Connection two = server.get().connect(database)) {
            Ring a = slipring.create(RingSpec.named("a").lanes(1));
            Ring b = slipring.create(RingSpec.named("b").lanes(1));
            one.setAutoCommit(false);
            two.setAutoCommit(false);
            a.join(one).push(Message.of("1"));
            b.join(two).push(Message.of("2"));
            CompletableFuture<Throwable> first = push(b, one);
            CompletableFuture<Throwable> second = push(a, two);
            Throwable failed = first.join() == null ? second.join() : first.join();
            assertThat(failed)
                    .isInstanceOf(StoreFailed.class)
                    .hasMessageContaining("deadlock")
                    .hasMessageContaining("only its owner can retry it");
            one.rollback();
            two.rollback();
        }
    }

    private static CompletableFuture<Throwable> push(Ring ring, Connection connection) {
        return CompletableFuture.supplyAsync(
                () -> {
                    try {
                        ring.join(connection).push(Message.of("x"));
                        return null;
                    } catch (SlipringException e) {
                        return e;
                    }
                });
    }

    @Test
    void oldReadersSeeWhatIsTrue() throws SQLException {
        String database = server.get().newDatabase();
        try (Slipring slipring = Slipring.open(server.get().url(database));
                Connection connection = server.get().connect(database);
                Statement sql = connection.createStatement()) {
            connection.setTransactionIsolation(Connection.TRANSACTION_REPEATABLE_READ);
            Ring ring = slipring.create(RingSpec.named("snapshot").lanes(1));
            connection.setAutoCommit(false);
            sql.execute("SELECT * FROM slipring_lane");
            for (int i = 0; i < 10; i++) {
                ring.push("" + i);
            }
            Claim claim = ring.stage().claim(4, Duration.ofSeconds(5));
            ring.join(connection).push(Message.of("joined"));
            ring.join(connection).done(claim);
            connection.commit();
            assertThat(ring.check()).isEmpty();
            assertThat(ring.info().pushed()).isEqualTo(11);
            assertThat(take(ring)).containsExactly("4", "5", "6", "7", "8", "9", "joined");
        }
    }

    /** These servers are started without performance_schema. */
    @Test
    void aServerThatCountsNoWaitsIsRefused() {
        String url = server.get().url(server.get().newDatabase());
        try (Waits waits = Engines.byUrl(url).waits(Opening.of(url))) {
            assertThatThrownBy(() -> waits.over(Duration.ofMillis(1)))
                    .isInstanceOf(StoreFailed.class)
                    .hasMessageContaining("performance_schema=ON");
        }
    }

    @Test
    void anUnknownServerAndAWrongDatabaseAreNamed() {
        assertThatThrownBy(() -> Slipring.open(server.get().url("nowhere")))
                .isInstanceOf(StoreFailed.class)
                .hasMessageContaining("no such database");
        assertThatThrownBy(() -> Slipring.open("mariadb://u:secret@127.0.0.1:1/x"))
                .isInstanceOf(StoreFailed.class)
                .hasMessageContaining("127.0.0.1:1")
                .hasMessageNotContaining("secret");
        assertThatThrownBy(() -> Slipring.open("mysql://127.0.0.1"))
                .hasMessageContaining("names no database");
    }
}
