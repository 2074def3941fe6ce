// SPDX-License-Identifier: Apache-2.0
package dev.slipring.sqlite;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.slipring.RingFull;
import dev.slipring.engine.Change;
import dev.slipring.engine.Store;
import dev.slipring.graph.RingSpec;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.util.Arrays;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/** What a store does while nothing happens, and what it notices when something does. */
class QuietTest {

    @TempDir Path folder;

    @Test
    void whatChangesNothingWritesNothing() throws Exception {
        Path file = folder.resolve("x.db");
        try (Store store = Given.ring(file);
                Connection other = Given.jdbc(file)) {
            store.push("r", Given.slot(1, 10, 77, 1));
            Path log = folder.resolve("x.db-wal");
            long version = version(other);
            assertThat(store.claim("r", Given.claim(1)).isEmpty()).isFalse();
            assertThat(version(other)).isNotEqualTo(version);
            long size = Files.size(log);
            version = version(other);
            for (int i = 0; i < 10; i++) {
                assertThat(store.claim("r", Given.claim(1)).isEmpty()).isTrue();
                store.push("r", Given.slot(1, 10, 77, 1));
                store.change("r", new Change.Create(RingSpec.named("r")));
                assertThatThrownBy(() -> store.push("r", Given.slot(1_000_001, 0)))
                        .isInstanceOf(RingFull.class);
            }
            assertThat(Files.size(log)).isEqualTo(size);
            assertThat(version(other)).isEqualTo(version);
        }
    }

    private static long version(Connection connection) throws Exception {
        return Given.number(connection, "PRAGMA data_version");
    }

    @Test
    void hearsOfOthersAndNotOfItself() throws Exception {
        Path file = folder.resolve("x.db");
        try (Store one = Given.ring(file);
                Store two = Given.store(file)) {
            AtomicInteger calls = new AtomicInteger();
            CountDownLatch other = new CountDownLatch(1);
            try (AutoCloseable first = one.listen(calls::incrementAndGet);
                    AutoCloseable second =
                            one.listen(
                                    () -> {
                                        if (calls.get() > 1) {
                                            other.countDown();
                                        }
                                    })) {
                assertThat(first).isNotSameAs(second);
                await(() -> calls.get() > 0);
                Thread.sleep(50);
                assertThat(calls.getAndSet(1)).as("the first look").isEqualTo(1);
                for (int i = 0; i < 20; i++) {
                    one.push("r", Given.slot(1, 10));
                    Thread.sleep(2);
                }
                assertThat(calls.get()).as("own commits").isEqualTo(1);
                two.push("r", Given.slot(1, 10));
                assertThat(other.await(30, TimeUnit.SECONDS)).isTrue();
            }
            awaitWatch(trace -> trace == null);
        }
    }

    /** It sleeps after a quiet second, and would leave all copying to the writer for ever. */
    @Test
    void whoCopiesTheLogWakesWhenSomethingIsCommitted() throws Exception {
        Set<Thread> others = copying();
        try (Store store = Given.ring(folder.resolve("x.db"))) {
            Thread own =
                    copying().stream()
                            .filter(thread -> !others.contains(thread))
                            .findAny()
                            .orElseThrow();
            await(() -> own.getState() == Thread.State.WAITING);
            // Again and again, as it is awake for a second only.
            await(
                    () -> {
                        store.push("r", Given.slot(1, 10));
                        return own.getState() == Thread.State.TIMED_WAITING;
                    });
        }
    }

    private static Set<Thread> copying() {
        return Thread.getAllStackTraces().keySet().stream()
                .filter(thread -> thread.getName().equals("slipring-sqlite-checkpoint"))
                .collect(Collectors.toSet());
    }

    /** A store that is closed while the file is quiet leaves no thread behind. */
    @Test
    void theWatchOfAQuietFileEndsWithTheStore() throws Exception {
        Path file = folder.resolve("x.db");
        try (Store keepsItOpen = Given.ring(file)) {
            Store closed = Given.store(file);
            closed.listen(() -> {});
            awaitWatch(trace -> trace != null && trace.contains("Stir.sleep"));
            closed.close();
            awaitWatch(trace -> trace == null);
            assertThat(Given.pushed(keepsItOpen)).isZero();
        }
    }

    /**
     * Waits until the state of the watching thread fits; its state is null when there is no such
     * thread.
     */
    private static void awaitWatch(Predicate<String> does) throws InterruptedException {
        await(() -> does.test(watch()));
    }

    private static void await(BooleanSupplier condition) throws InterruptedException {
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(20);
        while (!condition.getAsBoolean()) {
            assertThat(System.nanoTime()).as("it does %s", watch()).isLessThan(deadline);
            Thread.sleep(5);
        }
    }

    private static String watch() {
        return Thread.getAllStackTraces().entrySet().stream()
                .filter(each -> each.getKey().getName().equals("slipring-sqlite-watch"))
                .map(each -> Arrays.toString(each.getValue()))
                .findFirst()
                .orElse(null);
    }
}
