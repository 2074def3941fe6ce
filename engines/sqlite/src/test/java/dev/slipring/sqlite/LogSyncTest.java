// SPDX-License-Identifier: Apache-2.0
package dev.slipring.sqlite;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.slipring.OutcomeUnknown;
import dev.slipring.StoreFailed;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.channels.ClosedByInterruptException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;

/** Threads that wait for the log share a sync, but none counts that began before their commit. */
class LogSyncTest {

    @TempDir Path folder;
    private LogChannel channel;
    private SlowDisk disk;
    private final List<Long> told = Collections.synchronizedList(new ArrayList<>());
    private LogSync log;

    @BeforeEach
    void makeLog() throws Exception {
        Files.createFile(folder.resolve("x.db-wal"));
        channel = new LogChannel(folder.resolve("x.db").toString());
        disk = new SlowDisk(channel);
        log = new LogSync(disk, told::add);
    }

    @Test
    void manyShareASync() throws Exception {
        log.want();
        List<Thread> threads = new ArrayList<>(List.of(waiting(1)));
        disk.awaitSync();
        // These come after that sync has begun, so it does not count for them.
        log.want();
        for (int i = 0; i < 8; i++) {
            threads.add(waiting(2));
        }
        disk.release();
        disk.awaitSync();
        assertThat(log.isSynced(1)).isTrue();
        assertThat(log.isSynced(2)).isFalse();
        disk.release();
        for (Thread thread : threads) {
            thread.join();
        }
        assertThat(log.isSynced(2)).isTrue();
        assertThat(told).containsExactly(1L, 2L);
        assertThat(disk.more()).isZero();
        log.close();
    }

    private Thread waiting(long commit) {
        Thread thread = new Thread(() -> log.await(commit));
        thread.start();
        return thread;
    }

    @Test
    void nothingIsTakenAfterASyncThatFailed() throws Exception {
        disk.breakDown();
        log.want();
        assertThatThrownBy(() -> log.await(1))
                .isInstanceOf(OutcomeUnknown.class)
                .hasMessageContaining("x.db-wal")
                .hasMessageContaining("no such sector");
        disk.awaitSync();
        assertThatThrownBy(() -> log.await(1)).isInstanceOf(OutcomeUnknown.class);
        assertThatThrownBy(log::check)
                .isInstanceOf(StoreFailed.class)
                .hasMessageContaining("open the store anew");
        assertThat(told).containsOnly(0L);
        assertThat(disk.more()).isZero();
    }

    /** Whoever has committed and not asked yet would hear that nobody knows what became of it. */
    @Test
    void whatIsWantedIsOnTheDiskBeforeTheLogIsClosed() {
        log = new LogSync(channel, told::add);
        log.want();
        log.close();
        assertThat(log.isSynced(1)).isTrue();
        assertThat(told).containsExactly(1L);
        assertThatCode(() -> log.await(1)).doesNotThrowAnyException();
    }

    @Test
    void anInterruptIsKeptForLater() {
        try (LogSync real = new LogSync(channel, told::add)) {
            for (long commit = 1; commit <= 3; commit++) {
                real.want();
                Thread.currentThread().interrupt();
                real.await(commit);
                assertThat(Thread.interrupted()).isTrue();
            }
        }
    }

    /** The system reports a page that the disk refused only once for each open handle. */
    @Test
    void anInterruptHidesNoFailureOfTheDisk() {
        AtomicInteger failures = new AtomicInteger();
        LogChannel.Opener failing =
                path ->
                        new LogChannel.Handle() {
                            private final int known = failures.get();

                            @Override
                            public void force() throws IOException {
                                if (failures.compareAndSet(0, 1)) {
                                    throw new ClosedByInterruptException();
                                } else if (failures.get() > known) {
                                    throw new IOException("no such sector");
                                }
                            }

                            @Override
                            public void close() {}
                        };
        LogSync hurt = new LogSync(new LogChannel("x.db", failing), told::add);
        hurt.want();
        assertThatThrownBy(() -> hurt.await(1))
                .isInstanceOf(OutcomeUnknown.class)
                .hasMessageContaining("no such sector");
        assertThat(hurt.isSynced(1)).isFalse();
    }

    /**
     * A process that may open no more files goes on with the handle that it has, as long as that
     * works.
     */
    @Test
    void aSecondHandleIsForInterruptsOnly() {
        AtomicInteger opened = new AtomicInteger();
        AtomicBoolean interrupted = new AtomicBoolean();
        LogChannel.Opener scarce =
                path -> {
                    if (opened.incrementAndGet() > 1) {
                        throw new IOException("Too many open files");
                    }
                    return new LogChannel.Handle() {
                        @Override
                        public void force() throws IOException {
                            if (interrupted.get()) {
                                throw new ClosedByInterruptException();
                            }
                        }

                        @Override
                        public void close() {}
                    };
                };
        LogChannel alone = new LogChannel("x.db", scarce);
        assertThatCode(alone::sync).doesNotThrowAnyException();
        interrupted.set(true);
        assertThatThrownBy(alone::sync).hasMessageContaining("interrupted");
    }

    @Test
    void aLogThatIsThereIsOpenedAtOnce() throws Exception {
        try (LogChannel open = new LogChannel(folder.resolve("x.db").toString())) {
            open.open();
            Files.delete(folder.resolve("x.db-wal"));
            assertThatCode(open::sync).doesNotThrowAnyException();
        }
    }

    @Test
    void aLogThatIsNotThereIsAFailure() {
        LogSync none = new LogSync(new LogChannel(folder.resolve("no.db").toString()), told::add);
        none.want();
        assertThatThrownBy(() -> none.await(1)).isInstanceOf(OutcomeUnknown.class);
    }
}
