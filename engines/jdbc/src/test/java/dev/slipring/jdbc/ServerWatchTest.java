// SPDX-License-Identifier: Apache-2.0
package dev.slipring.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import dev.slipring.Options;
import dev.slipring.Slipring;
import dev.slipring.graph.RingSpec;
import dev.slipring.kit.InFront;
import dev.slipring.kit.server.RunningServer;
import dev.slipring.kit.server.ServerFiles;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.mariadb.jdbc.MariaDbDataSource;

import java.util.List;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

import javax.sql.DataSource;

/** A listener is told of changes, whatever went wrong before. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Timeout(60)
class ServerWatchTest {

    private static final String WATCH = "slipring-jdbc-watch";

    @RegisterExtension
    private final RunningServer server = new RunningServer(ServerFiles.MARIADB_11);

    /** A pool whose next connections for the watch fail in an unexpected way. */
    private static DataSource pool(DataSource real, AtomicInteger faults, Throwable fault) {
        return InFront.of(
                DataSource.class,
                real,
                (method, args, through) -> {
                    boolean isWatch = Thread.currentThread().getName().equals(WATCH);
                    if (isWatch && faults.getAndUpdate(n -> Math.max(0, n - 1)) > 0) {
                        throw fault;
                    }
                    return through.call();
                });
    }

    private DataSource real(String database) throws Exception {
        MariaDbDataSource real = new MariaDbDataSource();
        real.setUrl(
                "jdbc:mariadb://127.0.0.1:" + server.get().port() + "/" + database + "?user=root");
        return real;
    }

    private static void await(Semaphore heard) throws InterruptedException {
        assertThat(heard.tryAcquire(20, TimeUnit.SECONDS)).isTrue();
    }

    private void goesOn(Throwable fault) throws Exception {
        AtomicInteger faults = new AtomicInteger();
        DataSource pool = pool(real(server.get().newDatabase()), faults, fault);
        Semaphore heard = new Semaphore(0);
        try (Slipring slipring = Slipring.open(Options.dataSource(pool, "mariadb"))) {
            slipring.create(RingSpec.named("watched"));
            slipring.store().listen(heard::release);
            await(heard);
            faults.set(3);
            while (faults.get() > 0) {
                TimeUnit.MILLISECONDS.sleep(1);
            }
            heard.drainPermits();
            slipring.ring("watched").push("x");
            await(heard);
        }
    }

    /**
     * In milliseconds. Looks take a twentieth of the time at most, unless the pause would become
     * too long.
     */
    @ParameterizedTest
    @CsvSource({"2, 0, 2", "100, 1, 100", "100, 5, 100", "2, 30, 600", "100, 45, 900"})
    void looksThatTakeLongAreTakenSeldom(long wanted, long took, long pause) {
        assertThat(ServerWatch.pauseNanos(wanted * 1_000_000, took * 1_000_000))
                .isEqualTo(pause * 1_000_000);
        assertThat(ServerWatch.pauseNanos(wanted, 1_000_000_000L)).isEqualTo(1_000_000_000L);
    }

    @Test
    void aFaultIsNotTheEndOfTheWatch() throws Exception {
        goesOn(new IllegalStateException("by plan"));
    }

    @Test
    void anErrorIsNotTheEndOfTheWatch() throws Exception {
        goesOn(new LinkageError("by plan"));
    }

    @Test
    void whoListensStartsAWatchThatHasEnded() throws Exception {
        Semaphore heard = new Semaphore(0);
        try (Slipring slipring = Slipring.open(server.get().url(server.get().newDatabase()))) {
            slipring.store().listen(heard::release);
            await(heard);
            List<Thread> watches =
                    Thread.getAllStackTraces().keySet().stream()
                            .filter(thread -> thread.getName().equals(WATCH))
                            .toList();
            assertThat(watches).isNotEmpty();
            for (Thread watch : watches) {
                watch.interrupt();
                watch.join();
            }
            heard.drainPermits();
            slipring.store().listen(heard::release);
            await(heard);
        }
    }
}
