// SPDX-License-Identifier: Apache-2.0
package dev.slipring.postgresql;

import static org.assertj.core.api.Assertions.assertThat;

import dev.slipring.Options;
import dev.slipring.Ring;
import dev.slipring.Slipring;
import dev.slipring.SlipringException;
import dev.slipring.Workers;
import dev.slipring.graph.RingSpec;

import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.nio.file.Path;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/** A server that is killed or shut down under load and started again. */
class CrashTest {

    private static final int ROUNDS = 2;

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
