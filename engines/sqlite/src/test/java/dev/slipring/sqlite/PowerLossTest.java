// SPDX-License-Identifier: Apache-2.0
package dev.slipring.sqlite;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.slipring.OutcomeUnknown;
import dev.slipring.StoreFailed;
import dev.slipring.engine.Claimed;
import dev.slipring.engine.Opening;
import dev.slipring.engine.Store;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;

/** What callers were told is on the disk. After a loss of power, only what was synced counts. */
class PowerLossTest {

    @TempDir Path folder;

    private Store store(Path file, String options, Function<String, LogSync.LogFile> logs) {
        Opening opening = Opening.of("sqlite:" + file + options);
        return new Opener(opening, logs, new FileLocation()).open();
    }

    /** Keeps a copy of the log from the end of each sync. */
    private final class KeptLog extends ForwardingLog {

        private int syncs;

        KeptLog(String database) {
            super(new LogChannel(database));
        }

        @Override
        public void sync() throws IOException {
            super.sync();
            syncs++;
            Files.write(folder.resolve("kept"), Files.readAllBytes(Path.of(name())));
        }
    }

    /**
     * How many messages are pushed in a copy that has the file as it is and the log as it was at
     * the last sync.
     */
    private long pushedAfterALoss(Path file, int loss) throws IOException {
        Path copy = folder.resolve("copy" + loss + ".db");
        Files.copy(file, copy);
        Files.copy(folder.resolve("kept"), Path.of(copy + "-wal"));
        try (Store store = Given.store(copy)) {
            assertThat(store.survey("r", true).broken()).isEmpty();
            return Given.pushed(store);
        }
    }

    /** A part of such a log may be in the memory of the system only, as the disk refused it. */
    @Test
    void theLogThatACrashLeavesIsCopiedToTheFile() throws Exception {
        Path file = folder.resolve("test.db");
        Path left = folder.resolve("left.db");
        try (Store store = Given.ring(file)) {
            store.push("r", Given.slot(1, 10));
            Files.copy(file, left);
            Files.copy(Path.of(file + "-wal"), Path.of(left + "-wal"));
        }
        Path alone = folder.resolve("alone.db");
        try (Store store = Given.store(left)) {
            Files.copy(left, alone);
            assertThat(Given.pushed(store)).isEqualTo(1);
        }
        try (Store store = Given.store(alone)) {
            assertThat(Given.pushed(store)).isEqualTo(1);
        }
    }

    @Test
    void whatWasPushedIsThere() throws Exception {
        Path file = folder.resolve("x.db");
        Given.ring(file).close();
        KeptLog[] log = {null};
        try (Store store = store(file, "", database -> log[0] = new KeptLog(database))) {
            for (int i = 1; i <= 20; i++) {
                store.push("r", Given.slot(1, 300));
                assertThat(pushedAfterALoss(file, i)).isGreaterThanOrEqualTo(i);
            }
            int before = log[0].syncs;
            Given.done(store, store.claim("r", Given.claim(20)));
            assertThat(log[0].syncs).as("nothing new to sync").isEqualTo(before);
        }
    }

    @Test
    void whatIsClaimedIsThere() throws Exception {
        Path file = folder.resolve("x.db");
        Given.ring(file).close();
        SlowDisk[] disk = {null};
        try (Store one = store(file, "", name -> disk[0] = new SlowDisk(new LogChannel(name)));
                AutoCloseable end = () -> disk[0].releaseAll()) {
            Thread push = new Thread(() -> one.push("r", Given.slot(1, 300)));
            push.start();
            disk[0].awaitSync();
            Claimed[] claimed = {null};
            Thread claim = new Thread(() -> claimed[0] = one.claim("r", Given.claim(1)));
            claim.start();
            while (claim.getState() != Thread.State.WAITING) {
                assertThat(claim.isAlive()).as("the claim waits for the disk").isTrue();
                Thread.onSpinWait();
            }
            disk[0].releaseAll();
            claim.join();
            push.join();
            assertThat(claimed[0].deliveries()).hasSize(1);
        }
    }

    @Test
    void whatAnotherProcessPushedIsThereWhenItIsClaimed() throws Exception {
        Path file = folder.resolve("x.db");
        SlowDisk[] disk = {null};
        try (Store other = Given.ring(file, "?synchronous=normal");
                Store one = store(file, "", name -> disk[0] = new SlowDisk(new LogChannel(name)))) {
            disk[0].releaseAll();
            one.claim("r", Given.claim(1));
            int before = disk[0].more();
            other.push("r", Given.slot(1, 300));
            assertThat(one.claim("r", Given.claim(1)).deliveries()).hasSize(1);
            assertThat(disk[0].more()).isEqualTo(before + 1);
        }
    }

    /**
     * A push of another process is durable before it is claimed, even in the usual case, in which a
     * thread that watches the file has seen the push before.
     */
    @Test
    void whatAnotherProcessPushedIsThereAlsoWhereSomebodyHeardOfIt() throws Exception {
        Path file = folder.resolve("x.db");
        SlowDisk[] disk = {null};
        CountDownLatch first = new CountDownLatch(1);
        CountDownLatch second = new CountDownLatch(2);
        try (Store other = Given.ring(file, "?synchronous=normal");
                Store one = store(file, "", name -> disk[0] = new SlowDisk(new LogChannel(name)));
                AutoCloseable watch =
                        one.listen(
                                () -> {
                                    first.countDown();
                                    second.countDown();
                                })) {
            assertThat(watch).isNotNull();
            disk[0].releaseAll();
            one.claim("r", Given.claim(1));
            assertThat(first.await(20, TimeUnit.SECONDS)).isTrue();
            int before = disk[0].more();
            other.push("r", Given.slot(1, 300));
            assertThat(second.await(20, TimeUnit.SECONDS)).isTrue();
            assertThat(one.claim("r", Given.claim(1)).deliveries()).hasSize(1);
            assertThat(disk[0].more()).isEqualTo(before + 1);
        }
    }

    @Test
    void aDiskThatFailsLeavesTheOutcomeUnknown() throws Exception {
        Path file = folder.resolve("x.db");
        Given.ring(file).close();
        SlowDisk[] disk = {null};
        Store store = store(file, "", name -> disk[0] = new SlowDisk(new LogChannel(name)));
        disk[0].breakDown();
        assertThatThrownBy(() -> store.push("r", Given.slot(1, 300, 7, 1)))
                .isInstanceOf(OutcomeUnknown.class)
                .hasMessageContaining("x.db-wal");
        // It is in the log, but not synced, so no caller may be told that it is stored.
        assertThatThrownBy(() -> store.pushed("r", 7)).isInstanceOf(StoreFailed.class);
        assertThatThrownBy(() -> store.push("r", Given.slot(1, 300)))
                .isInstanceOf(StoreFailed.class)
                .hasMessageContaining("open the store anew");
        store.close();
    }
}
