// SPDX-License-Identifier: Apache-2.0
package dev.slipring.postgresql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.slipring.Claim;
import dev.slipring.Fenced;
import dev.slipring.Message;
import dev.slipring.Options;
import dev.slipring.Ring;
import dev.slipring.Slipring;
import dev.slipring.SlipringException;
import dev.slipring.Workers;
import dev.slipring.graph.RingSpec;
import dev.slipring.graph.StageSpec;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;

/** A server that is killed or shut down under load and started again. */
class CrashTest {

    private static final int ROUNDS = 2;

    /** Long enough for a word in time; short enough to wait for, if a claim is not lost. */
    private static final Duration LEASE = Duration.ofSeconds(10);

    @TempDir Path folder;

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void whatWasPushedSurvives(boolean killed) throws Exception {
        Set<String> said = ConcurrentHashMap.newKeySet();
        Set<String> seen = ConcurrentHashMap.newKeySet();
        try (OwnServer server = new OwnServer(folder).start();
                Slipring slipring =
                        Slipring.open(
                                Options.url(server.url()).pushTimeout(Duration.ofSeconds(30)))) {
            Ring ring = slipring.create(RingSpec.named("r"));
            try (Workers workers = ring.stage().work(2, delivery -> seen.add(delivery.text()))) {
                for (int round = 0; round < ROUNDS; round++) {
                    Thread pusher = pushing(ring, round, said);
                    int before = seen.size();
                    while (seen.size() < before + 100) {
                        TimeUnit.MILLISECONDS.sleep(5);
                    }
                    if (killed) {
                        server.kill();
                    } else {
                        server.shutDown();
                    }
                    server.start();
                    pusher.join();
                }
                assertThat(ring.drain(Duration.ofSeconds(60))).isTrue();
            }
            assertThat(seen).containsAll(said);
            assertThat(ring.check()).isEmpty();
        }
    }

    /** A server that is away is looked for often, so that it is found soon after it is back. */
    @Test
    void aServerThatIsAwayIsLookedForOften() throws Exception {
        try (OwnServer server = new OwnServer(folder).start();
                Slipring slipring = Slipring.open(server.url())) {
            Ring ring = slipring.create(RingSpec.named("r"));
            server.kill();
            AtomicBoolean enough = new AtomicBoolean();
            // One push looks for the server until its time-out ends, so on a slow machine several
            // are needed.
            CompletableFuture<Void> pushes =
                    CompletableFuture.runAsync(
                            () -> {
                                while (!enough.get()) {
                                    tryPush(ring, "x");
                                }
                            });
            try (ServerSocket away = new ServerSocket()) {
                away.setReuseAddress(true);
                away.bind(new InetSocketAddress("127.0.0.1", server.port()));
                away.setSoTimeout(20_000);
                long begin = System.nanoTime();
                for (int looks = 0; looks < 40; looks++) {
                    away.accept().close();
                    // Without Slipring's own looks, the pool would soon look only every five
                    // seconds.
                    assertThat(Duration.ofNanos(System.nanoTime() - begin))
                            .isLessThan(Duration.ofSeconds(60));
                }
            } finally {
                enough.set(true);
            }
            server.start();
            pushes.join();
            ring.push("y");
            assertThat(ring.check()).isEmpty();
        }
    }

    /**
     * A claim does not wait for the disk. If it is lost with the server, its worker's word is not
     * taken for the word of the worker that claims the message after that.
     */
    @Test
    void aClaimThatIsLostWithTheServerIsFenced() throws Exception {
        try (OwnServer server = new OwnServer(folder).start();
                Slipring slipring = Slipring.open(server.url())) {
            Ring ring = ring(slipring);
            ring.push("x");
            Claim lost = ring.stage().claim(1, Duration.ZERO);
            assertThat(lost.deliveries()).hasSize(1);
            server.kill();
            server.start();
            Claim found = claim(ring, 1);
            assertThat(found.deliveries()).hasSize(1);
            assertThatThrownBy(lost::done).isInstanceOf(Fenced.class);
            found.done();
            assertThat(ring.check()).isEmpty();
        }
    }

    /**
     * The same holds if the clock was set back since an earlier claim, so that the next epoch
     * cannot be the time.
     */
    @Test
    void aClaimThatIsLostIsFencedThoughTheClockWasSetBack() throws Exception {
        try (OwnServer server = new OwnServer(folder).start();
                Slipring slipring = Slipring.open(server.url())) {
            Ring ring = ring(slipring);
            ring.pushAll(List.of(Message.of("x"), Message.of("y")));
            setBack(server);
            Claim lost = ring.stage().claim(1, Duration.ZERO);
            assertThat(lost.deliveries()).hasSize(1);
            server.kill();
            server.start();
            Claim found = claim(ring, 2);
            assertThat(found.deliveries()).hasSize(2);
            assertThatThrownBy(lost::done).isInstanceOf(Fenced.class);
            assertThat(ring.info().heldMessages()).isEqualTo(2);
            found.done();
            assertThat(ring.check()).isEmpty();
        }
    }

    /**
     * Makes it look as if the last claim of the lane had been made while the clock was an hour
     * ahead.
     */
    private static void setBack(OwnServer server) throws SQLException {
        try (Connection connection = Server.connect(server.url());
                Statement sql = connection.createStatement()) {
            sql.execute(
                    "DO $$ DECLARE s slipring.strand; BEGIN"
                            + " SELECT x.* INTO s FROM slipring.ring r,"
                            + " slipring.strand_now(r.id, 'main', 0) x;"
                            + " s.epoch := (extract(epoch FROM clock_timestamp())"
                            + " * 1000000 + 3600000000)::bigint << 2;"
                            + " PERFORM slipring.append(s); END $$");
        }
    }

    /** A ring of one lane, whose leases run out soon. */
    private static Ring ring(Slipring slipring) {
        return slipring.create(
                RingSpec.named("r").lanes(1).graph(StageSpec.named("main").lease(LEASE)));
    }

    /** Claims as soon as the server is reached again. */
    private static Claim claim(Ring ring, int max) throws InterruptedException {
        while (true) {
            try {
                Claim claim = ring.stage().claim(max, Duration.ofSeconds(1));
                if (!claim.isEmpty()) {
                    return claim;
                }
            } catch (SlipringException e) {
                TimeUnit.MILLISECONDS.sleep(20);
            }
        }
    }

    private static Thread pushing(Ring ring, int round, Set<String> said) {
        Thread pusher =
                new Thread(
                        () -> {
                            for (int i = 0; i < 1_000; i++) {
                                if (tryPush(ring, round + "-" + i)) {
                                    said.add(round + "-" + i);
                                }
                            }
                        });
        pusher.start();
        return pusher;
    }

    private static boolean tryPush(Ring ring, String text) {
        try {
            ring.push(text);
            return true;
        } catch (SlipringException e) {
            // The push was refused, or its outcome is unknown: it does not count as stored.
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(20));
            return false;
        }
    }
}
