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
                WatchKey key = service.poll(BACKSTOP_MILLIS, TimeUnit.MILLISECONDS);
                if (key != null && (concernsUs(key) || !key.reset())) {
                    return;
                }
            }
        } catch (IOException e) {
            // No more watches to be had; then by the clock.
            TimeUnit.MILLISECONDS.sleep(POLL_MILLIS);
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
