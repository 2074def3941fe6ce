// SPDX-License-Identifier: Apache-2.0
package dev.slipring.memory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.slipring.Claim;
import dev.slipring.Listener;
import dev.slipring.Options;
import dev.slipring.Ring;
import dev.slipring.Slipring;
import dev.slipring.SlipringException;
import dev.slipring.StoreFailed;
import dev.slipring.WorkOptions;
import dev.slipring.Workers;
import dev.slipring.graph.RingSpec;
import dev.slipring.graph.StageSpec;

import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.io.PrintWriter;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

import javax.sql.DataSource;

/** What users test with the engine in memory fails there as it would on other engines. */
class ClosedTest {

    @Test
    void whatIsClosedRefusesEverything() {
        Slipring slipring = Slipring.open("memory:");
        Ring ring = slipring.create(RingSpec.named("r"));
        ring.push("x");
        Claim claim = ring.stage().claim(1, Duration.ZERO);
        slipring.close();
        slipring.close();
        List<ThrowingCallable> calls =
                List.of(
                        () -> slipring.create(RingSpec.named("other")),
                        () -> slipring.ring("r"),
                        () -> slipring.drop("r"),
                        ring::info,
                        ring::purge,
                        claim::done);
        for (ThrowingCallable call : calls) {
            assertThatThrownBy(call).isInstanceOf(StoreFailed.class).hasMessageContaining("closed");
        }
    }

    /** Workers end with their store, and do not ask a closed store for ever. */
    @ParameterizedTest
    @ValueSource(strings = {"pool", "ordered", "batches"})
    @Timeout(60)
    void workersEndWithTheirStore(String kind) throws Exception {
        List<String> told = new CopyOnWriteArrayList<>();
        Listener listener =
                new Listener() {
                    @Override
                    public void storeFailed(String ring, SlipringException error) {
                        told.add(error.getMessage());
                    }
                };
        Slipring slipring = Slipring.open(Options.url("memory:").listener(listener));
        StageSpec main = StageSpec.named("main");
        Ring ring =
                slipring.create(
                        RingSpec.named("left-behind")
                                .graph(kind.equals("ordered") ? main.ordered() : main));
        CountDownLatch inHand = new CountDownLatch(1);
        CountDownLatch go = new CountDownLatch(1);
        if (kind.equals("batches")) {
            ring.stage()
                    .workBatches(
                            WorkOptions.threads(2),
                            claim -> {
                                inHand.countDown();
                                go.await();
                            });
        } else {
            ring.stage()
                    .work(
                            2,
                            delivery -> {
                                inHand.countDown();
                                go.await();
                            });
        }
        ring.push("x");
        inHand.await();
        slipring.close();
        go.countDown();
        while (Thread.getAllStackTraces().keySet().stream()
                .anyMatch(thread -> thread.getName().startsWith("slipring-left-behind"))) {
            TimeUnit.MILLISECONDS.sleep(1);
        }
        assertThat(told).filteredOn(words -> words.contains("its workers end")).hasSize(1);
    }

    /**
     * A listener that is told of a push must not close workers: a handler that pushes would wait
     * for the listener, and the listener for the handler.
     */
    @Test
    @Timeout(60)
    void whoHearsOfAPushMustNotCloseWorkers() throws Exception {
        Workers[] workers = new Workers[1];
        List<Throwable> refused = new CopyOnWriteArrayList<>();
        Listener listener =
                new Listener() {
                    @Override
                    public void pushed(String ring, int messages, long bytes, Duration took) {
                        refused.add(catchThrowable(workers[0]::close));
                    }
                };
        CountDownLatch handled = new CountDownLatch(2);
        try (Slipring slipring = Slipring.open(Options.url("memory:").listener(listener))) {
            Ring ring = slipring.create(RingSpec.named("r"));
            workers[0] =
                    ring.stage()
                            .work(
                                    1,
                                    delivery -> {
                                        handled.countDown();
                                        if (delivery.text().equals("first")) {
                                            ring.push("second");
                                        }
                                    });
            ring.push("first");
            handled.await();
            workers[0].close();
        }
        assertThat(refused)
                .hasSize(2)
                .allSatisfy(e -> assertThat(e).isInstanceOf(IllegalStateException.class));
    }

    @Test
    void aDataSourceIsRefused() {
        DataSource source =
                (DataSource)
                        Proxy.newProxyInstance(
                                getClass().getClassLoader(),
                                new Class<?>[] {DataSource.class},
                                (proxy, method, args) -> new PrintWriter(System.err));
        assertThatThrownBy(() -> Slipring.open(Options.dataSource(source, "memory")))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("memory:");
    }
}
