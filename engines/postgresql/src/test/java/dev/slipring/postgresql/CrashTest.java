// SPDX-License-Identifier: Apache-2.0
package dev.slipring.postgresql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.slipring.Claim;
import dev.slipring.Fenced;
import dev.slipring.Options;
import dev.slipring.Ring;
import dev.slipring.Slipring;
import dev.slipring.SlipringException;
import dev.slipring.Workers;
import dev.slipring.graph.RingSpec;
import dev.slipring.graph.StageSpec;

import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/** A server that is killed under load and started again. */
class CrashTest {

    private static final int ROUNDS = 2;

    /** Long enough for a word in time, short enough to be waited for if a claim is not lost. */
    private static final Duration LEASE = Duration.ofSeconds(10);

    @TempDir Path folder;

    private EmbeddedPostgres start(int port) throws IOException {
        return EmbeddedPostgres.builder()
                .setDataDirectory(folder.resolve("data"))
                .setCleanDataDirectory(false)
                .setPort(port)
                .setServerConfig("fsync", "on")
                .setServerConfig("synchronous_commit", "on")
                // What nobody waits for stays in memory, to be lost.
                .setServerConfig("wal_writer_delay", "10s")
                .start();
    }

    private void kill(EmbeddedPostgres running) throws IOException, InterruptedException {
        Path file = folder.resolve("data").resolve("postmaster.pid");
        ProcessHandle server =
                ProcessHandle.of(Long.parseLong(Files.readAllLines(file).get(0))).orElseThrow();
        // Children first: the server must not be there to see them end.
        server.children().forEach(ProcessHandle::destroyForcibly);
        server.destroyForcibly();
        while (server.isAlive()) {
            TimeUnit.MILLISECONDS.sleep(10);
        }
        Files.deleteIfExists(file);
        running.close();
    }

    @Test
    void whatWasPushedSurvives() throws Exception {
        EmbeddedPostgres server = start(0);
        int port = server.getPort();
        String url = "postgresql://postgres@127.0.0.1:" + port + "/postgres";
        Set<String> said = ConcurrentHashMap.newKeySet();
        Set<String> seen = ConcurrentHashMap.newKeySet();
        try (Slipring slipring =
                Slipring.open(Options.url(url).pushTimeout(Duration.ofSeconds(30)))) {
            Ring ring = slipring.create(RingSpec.named("r"));
            try (Workers workers = ring.stage().work(2, delivery -> seen.add(delivery.text()))) {
                for (int round = 0; round < ROUNDS; round++) {
                    Thread pusher = pushing(ring, round, said);
                    int before = seen.size();
                    while (seen.size() < before + 100) {
                        TimeUnit.MILLISECONDS.sleep(5);
                    }
                    kill(server);
                    server = start(port);
                    pusher.join();
                }
                assertThat(ring.drain(Duration.ofSeconds(60))).isTrue();
            }
            assertThat(seen).containsAll(said);
            assertThat(ring.check()).isEmpty();
        } finally {
            server.close();
        }
    }

    /**
     * A claim does not wait for the disk. When it is lost with the server, its worker's word is not
     * taken for the word of the one who has the message then.
     */
    @Test
    void aClaimThatIsLostWithTheServerIsFenced() throws Exception {
        EmbeddedPostgres server = start(0);
        int port = server.getPort();
        String url = "postgresql://postgres@127.0.0.1:" + port + "/postgres";
        try (Slipring slipring = Slipring.open(url)) {
            Ring ring =
                    slipring.create(
                            RingSpec.named("r")
                                    .lanes(1)
                                    .graph(StageSpec.named("main").lease(LEASE)));
            ring.push("x");
            Claim lost = ring.stage().claim(1, Duration.ZERO);
            assertThat(lost.deliveries()).hasSize(1);
            kill(server);
            server = start(port);
            Claim found = claim(ring);
            assertThat(found.deliveries()).hasSize(1);
            assertThatThrownBy(lost::done).isInstanceOf(Fenced.class);
            found.done();
            assertThat(ring.check()).isEmpty();
        } finally {
            server.close();
        }
    }

    /** Claims as soon as the server is reached again. */
    private static Claim claim(Ring ring) throws InterruptedException {
        while (true) {
            try {
                Claim claim = ring.stage().claim(1, Duration.ofSeconds(1));
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
                                try {
                                    ring.push(round + "-" + i);
                                    said.add(round + "-" + i);
                                } catch (SlipringException e) {
                                    // Truthfully refused, or unknown: not said.
                                    LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(20));
                                }
                            }
                        });
        pusher.start();
        return pusher;
    }
}
