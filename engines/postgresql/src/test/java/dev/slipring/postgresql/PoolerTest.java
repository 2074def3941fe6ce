// SPDX-License-Identifier: Apache-2.0
package dev.slipring.postgresql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.slipring.Claim;
import dev.slipring.Ring;
import dev.slipring.Slipring;
import dev.slipring.Workers;
import dev.slipring.graph.RingSpec;
import dev.slipring.kit.server.DebianPostgres;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

import java.net.ConnectException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;

/** PgBouncer in transaction mode between Slipring and the server. */
class PoolerTest {

    private static final Path PROGRAM = Path.of("/usr/sbin/pgbouncer");

    @TempDir Path folder;

    @RegisterExtension private final NewDatabase database = new NewDatabase();

    private String through;
    private Process pooler;

    @BeforeEach
    void start() throws Exception {
        assumeTrue(Files.isExecutable(PROGRAM), "needs PgBouncer: apt install pgbouncer");
        int port;
        try (ServerSocket free = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            port = free.getLocalPort();
        }
        Path settings = folder.resolve("pgbouncer.ini");
        Files.writeString(
                settings,
                String.join(
                        "\n",
                        "[databases]",
                        "* = host=127.0.0.1 user=postgres port=" + database.port(),
                        "[pgbouncer]",
                        "listen_addr = 127.0.0.1",
                        "listen_port = " + port,
                        "unix_socket_dir =",
                        "auth_type = any",
                        "pool_mode = transaction",
                        "default_pool_size = 4",
                        "ignore_startup_parameters = extra_float_digits",
                        ""));
        DebianPostgres.giveAway(folder);
        pooler =
                new ProcessBuilder(DebianPostgres.asUser(PROGRAM.toString(), settings.toString()))
                        .redirectErrorStream(true)
                        .redirectOutput(folder.resolve("log").toFile())
                        .start();
        through = database.url(port) + "?prepareThreshold=0";
        awaitDoor(port);
    }

    private void awaitDoor(int port) throws Exception {
        for (int i = 0; i < 1_000 && pooler.isAlive(); i++) {
            try (Socket door = new Socket(InetAddress.getLoopbackAddress(), port)) {
                assertThat(door.isConnected()).isTrue();
                return;
            } catch (ConnectException e) {
                TimeUnit.MILLISECONDS.sleep(10);
            }
        }
        throw new AssertionError(
                "PgBouncer did not start: " + Files.readString(folder.resolve("log")));
    }

    @AfterEach
    void stop() throws Exception {
        if (pooler != null) {
            pooler.descendants().forEach(ProcessHandle::destroy);
            pooler.destroy();
            pooler.waitFor();
        }
    }

    @Test
    void ringsWorkBehindIt() throws InterruptedException {
        Set<String> seen = ConcurrentHashMap.newKeySet();
        try (Slipring slipring = Slipring.open(through);
                Slipring other = Slipring.open(through)) {
            Ring ring = slipring.create(RingSpec.named("r"));
            try (Workers workers =
                    other.ring("r").stage().work(3, delivery -> seen.add(delivery.text()))) {
                List<Thread> pushers =
                        IntStream.range(0, 8)
                                .mapToObj(i -> new Thread(() -> push(ring, i)))
                                .toList();
                pushers.forEach(Thread::start);
                for (Thread pusher : pushers) {
                    pusher.join();
                }
                assertThat(ring.drain(Duration.ofSeconds(60))).isTrue();
                assertThat(seen).hasSize(8 * 50);
            }
            Claim claim = ring.stage().claim(1, Duration.ZERO);
            assertThat(claim.isEmpty()).isTrue();
            assertThat(ring.check()).isEmpty();
        }
    }

    private static void push(Ring ring, int number) {
        for (int i = 0; i < 50; i++) {
            ring.push(number + "-" + i);
        }
    }

    /** Waiting leaves no trace in sessions, which a pooler hands out to others. */
    @Test
    void whoWaitsLeavesNothingInSessions() throws Exception {
        try (Slipring slipring = Slipring.open(through)) {
            Ring ring = slipring.create(RingSpec.named("r"));
            CompletableFuture<Claim> waits =
                    CompletableFuture.supplyAsync(
                            () -> ring.stage().claim(1, Duration.ofSeconds(60)));
            database.await(
                    "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database()"
                            + " AND query LIKE '%last_value(''slipring.news%'",
                    1, waits);
            for (int looks = 0; looks < 50; looks++) {
                assertThat(
                                database.number(
                                        "SELECT count(*) FROM pg_locks WHERE locktype = 'advisory'"
                                                + " AND mode = 'ShareLock' AND database = (SELECT"
                                                + " oid FROM pg_database"
                                                + " WHERE datname = current_database())"))
                        .isZero();
            }
            ring.push("x");
            assertThat(waits.get(60, TimeUnit.SECONDS).isEmpty()).isFalse();
        }
    }

    @Test
    void whoWaitsFindsWhatAnotherProcessPushedByLooking() {
        try (Slipring slipring = Slipring.open(through);
                Slipring direct = Slipring.open(database.url())) {
            Ring ring = slipring.create(RingSpec.named("r"));
            Thread pusher = new Thread(() -> direct.ring("r").push("x"));
            pusher.start();
            Claim claim = ring.stage().claim(1, Duration.ofSeconds(20));
            assertThat(claim.deliveries()).hasSize(1);
            claim.done();
        }
    }
}
