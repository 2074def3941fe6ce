// SPDX-License-Identifier: Apache-2.0
package dev.slipring.postgresql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.slipring.Handler;
import dev.slipring.Listener;
import dev.slipring.Options;
import dev.slipring.Ring;
import dev.slipring.Slipring;
import dev.slipring.SlipringException;
import dev.slipring.StoreFailed;
import dev.slipring.StoreUnreachable;
import dev.slipring.Workers;
import dev.slipring.graph.RingSpec;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** Servers that take no writes: every write is refused in words, and none is taken for stored. */
class ReadOnlyTest {

    @TempDir Path folder;

    private static void refusesToWrite(Ring ring) {
        assertThatThrownBy(() -> ring.push("refused"))
                .isInstanceOf(StoreFailed.class)
                .hasMessageContaining("read-only");
        assertThatThrownBy(() -> ring.stage().claim(1, Duration.ZERO))
                .isInstanceOf(StoreFailed.class)
                .hasMessageContaining("read-only");
        assertThat(ring.info().pushed()).isEqualTo(1);
        assertThat(ring.info().stages().get(0).lag()).isEqualTo(1);
    }

    @Test
    void aServerInRecovery() throws Exception {
        OwnServer server = new OwnServer(folder).start();
        try (Slipring slipring = Slipring.open(server.url())) {
            slipring.create(RingSpec.named("r")).push("x");
        }
        server.shutDown();
        Files.createFile(server.data().resolve("standby.signal"));
        server.start();
        try (Slipring slipring = Slipring.open(server.url())) {
            refusesToWrite(slipring.ring("r"));
            assertThatThrownBy(() -> slipring.create(RingSpec.named("other")))
                    .isInstanceOf(StoreFailed.class)
                    .hasMessageContaining("read-only");
            // The standby is the primary now.
            try (Connection connection = Server.connect(server.url());
                    Statement statement = connection.createStatement()) {
                assertThatThrownBy(() -> askForPush(statement))
                        .isInstanceOfSatisfying(
                                SQLException.class,
                                e -> assertThat(e.getSQLState()).isEqualTo("25006"));
                statement.execute("SELECT pg_promote()");
            }
            slipring.ring("r").push("y");
            assertThat(slipring.ring("r").stage().claim(9, Duration.ofSeconds(5)).isEmpty())
                    .isFalse();
            assertThat(slipring.ring("r").check()).isEmpty();
        } finally {
            server.close();
        }
    }

    /** It may have a push that its primary, or another standby, will not have. */
    private static void askForPush(Statement statement) throws SQLException {
        String slots = "SELECT format('SELECT max(producer) FROM slipring.slot_%s_0', id)";
        String producer = text(statement, text(statement, slots + " FROM slipring.ring"));
        text(statement, "SELECT slipring.pushed('r', " + producer + ")");
    }

    private static String text(Statement statement, String sql) throws SQLException {
        try (ResultSet row = statement.executeQuery(sql)) {
            row.next();
            return row.getString(1);
        }
    }

    /**
     * A standby that is behind its primary does not have everything yet. If it is asked while it
     * becomes the primary, it must not say that a ring is gone: workers would end, and a push of
     * unknown outcome would be reported as not stored.
     */
    @Test
    void aStandbyThatIsBehindKnowsOfNoEnd() throws Exception {
        OwnServer server = new OwnServer(folder).start();
        Path primary = folder.resolve("primary");
        Path behind = folder.resolve("behind");
        Set<String> seen = ConcurrentHashMap.newKeySet();
        Set<String> heardBy = ConcurrentHashMap.newKeySet();
        Slipring.open(server.url()).close();
        server.shutDown();
        copy(server.data(), behind);
        server.start();
        try (Slipring slipring =
                Slipring.open(Options.url(server.url()).listener(threadsOfRefusals(heardBy)))) {
            Ring ring = slipring.create(RingSpec.named("r"));
            CountDownLatch asked = new CountDownLatch(1);
            Handler handler =
                    delivery -> {
                        seen.add(delivery.text());
                        asked.await(60, TimeUnit.SECONDS);
                    };
            try (Workers workers = ring.stage().work(2, handler)) {
                push(ring, "before");
                awaitSize(seen, 1);
                server.shutDown();
                Files.move(server.data(), primary);
                Files.move(behind, server.data());
                Files.createFile(server.data().resolve("standby.signal"));
                server.start();
                assertThatThrownBy(() -> push(ring, "refused"))
                        .isInstanceOf(StoreFailed.class)
                        .hasMessageContaining("standby")
                        .hasMessageContaining("no ring 'r'");
                awaitSize(heardBy, 3);
                asked.countDown();
                server.shutDown();
                Files.move(server.data(), behind);
                Files.move(primary, server.data());
                server.start();
                push(ring, "after");
                awaitSize(seen, 2);
            }
            assertThat(seen).containsExactlyInAnyOrder("before", "after");
            assertThat(ring.check()).isEmpty();
        } finally {
            server.close();
        }
    }

    /**
     * Notes the names of the threads that are refused: this one, that of the worker who claims, and
     * the one that extends the lease of the message in hand.
     */
    private static Listener threadsOfRefusals(Set<String> names) {
        return new Listener() {
            @Override
            public void storeFailed(String ring, SlipringException failure) {
                if (failure.getMessage().contains("no ring 'r'")) {
                    names.add(Thread.currentThread().getName());
                }
            }
        };
    }

    /** Pushes as soon as the server is reached, whatever it answers. */
    private static void push(Ring ring, String text) throws InterruptedException {
        while (true) {
            try {
                ring.push(text);
                return;
            } catch (StoreUnreachable e) {
                TimeUnit.MILLISECONDS.sleep(20);
            }
        }
    }

    private static void awaitSize(Set<String> set, int size) throws InterruptedException {
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
        while (set.size() < size) {
            assertThat(System.nanoTime()).as("%s", set).isLessThan(deadline);
            TimeUnit.MILLISECONDS.sleep(5);
        }
    }

    private static void copy(Path from, Path to) throws Exception {
        new ProcessBuilder("cp", "-a", from.toString(), to.toString()).start().waitFor();
    }

    @Test
    void aDatabaseThatIsReadOnlyByDefault() throws Exception {
        String url = Server.newDatabase();
        try (Slipring slipring = Slipring.open(url)) {
            slipring.create(RingSpec.named("r")).push("x");
        }
        setDefault(url, "on");
        try (Slipring slipring = Slipring.open(Options.url(url))) {
            refusesToWrite(slipring.ring("r"));
        } finally {
            Server.drop(url);
        }
    }

    @Test
    void noSchemaIsMadeInOne() throws Exception {
        String url = Server.newDatabase();
        setDefault(url, "on");
        assertThatThrownBy(() -> Slipring.open(url))
                .isInstanceOf(StoreFailed.class)
                .hasMessageContaining("read-only");
        Server.drop(url);
    }

    private static void setDefault(String url, String value) throws Exception {
        try (Connection connection = Server.connect(url);
                Statement statement = connection.createStatement()) {
            statement.execute("SET default_transaction_read_only = off");
            statement.execute(
                    "ALTER DATABASE "
                            + url.substring(url.lastIndexOf('/') + 1)
                            + " SET default_transaction_read_only = "
                            + value);
        }
    }
}
