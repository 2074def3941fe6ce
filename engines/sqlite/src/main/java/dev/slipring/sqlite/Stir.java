// SPDX-License-Identifier: Apache-2.0
package dev.slipring.sqlite;

import java.io.IOException;
import java.nio.file.Path;
import java.nio.file.StandardWatchEventKinds;
import java.nio.file.WatchEvent;
import java.nio.file.WatchKey;
import java.nio.file.WatchService;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

/**
 * Sleeps until something stirs in the file's folder, by the operating system's word where it gives
 * one at once (Linux), else for a few milliseconds. Used by one thread.
 */
final class Stir {

    private static final boolean PROMPT = System.getProperty("os.name").equals("Linux");
    private static final long BACKSTOP_MILLIS = 500;
    private static final long POLL_MILLIS = 8;
    private static final long OTHERS_MILLIS = 5;
    private static final long BRISK_LOOK_NANOS = 300_000;
    private static final long BRISK_NANOS = 20_000_000;

    private final Path file;

    Stir(Path file) {
        this.file = file;
    }

    /**
     * Sleeps.
     *
     * @param last a look at the file, taken when no stir is missed any more, and now and then; when
     *     it sees something the sleep is over
     */
    void sleep(BooleanSupplier last) throws InterruptedException {
        if (!PROMPT) {
            TimeUnit.MILLISECONDS.sleep(POLL_MILLIS);
            return;
        }
        Path folder = file.toAbsolutePath().getParent();
        try (WatchService service = folder.getFileSystem().newWatchService()) {
            folder.register(service, StandardWatchEventKinds.ENTRY_MODIFY);
            while (!last.getAsBoolean()) {
                if (isStirred(service)) {
                    lookUntilSeen(last);
                    return;
                }
            }
        } catch (IOException | Error e) {
            // No more watches, or threads for them, to be had; then by the clock.
            TimeUnit.MILLISECONDS.sleep(POLL_MILLIS);
        }
    }

    /** Whether something of ours stirs before it is time to look anyway. */
    private boolean isStirred(WatchService service) throws InterruptedException {
        long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(BACKSTOP_MILLIS);
        for (long left = end - System.nanoTime(); left > 0; left = end - System.nanoTime()) {
            WatchKey key = service.poll(left, TimeUnit.NANOSECONDS);
            if (key != null && (concernsUs(key) || !key.reset())) {
                return true;
            }
            if (key != null) {
                // Others write to files beside ours, and may do so all the time.
                TimeUnit.MILLISECONDS.sleep(OTHERS_MILLIS);
            }
        }
        return false;
    }

    /**
     * What stirred is a commit on its way, which is seen when it is through. Before the watch is
     * closed, for which the system takes its time.
     */
    private static void lookUntilSeen(BooleanSupplier last) throws InterruptedException {
        long end = System.nanoTime() + BRISK_NANOS;
        while (!last.getAsBoolean() && System.nanoTime() - end < 0) {
            TimeUnit.NANOSECONDS.sleep(BRISK_LOOK_NANOS);
        }
    }

    private boolean concernsUs(WatchKey key) {
        String name = file.getFileName().toString();
        for (WatchEvent<?> event : key.pollEvents()) {
            if (event.context() == null || event.context().toString().startsWith(name)) {
                return true;
            }
        }
        return false;
    }
}
