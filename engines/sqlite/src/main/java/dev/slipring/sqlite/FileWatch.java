// SPDX-License-Identifier: Apache-2.0
package dev.slipring.sqlite;

import dev.slipring.engine.ChangeWatch;

import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

/**
 * Tells when another process may have changed the file, as long as somebody listens. While others
 * are at work it asks SQLite again and again; when they have been quiet for a while it sleeps until
 * the file stirs.
 */
final class FileWatch {

    private static final long LOOK_NANOS = 4_000_000;
    private static final long LIVELY_NANOS = 1_000_000_000;

    private final Stir stir;
    private final ChangeWatch watch;

    /** When there was last something to hear, or somebody new to hear it. */
    private volatile long lively;

    FileWatch(Path file, BooleanSupplier changed) {
        stir = new Stir(file);
        watch = new ChangeWatch("slipring-sqlite-watch", changed, this::pause);
    }

    /** Calls back until the result is closed. */
    AutoCloseable listen(Runnable call) {
        lively = System.nanoTime();
        return watch.listen(call);
    }

    /** Forgets all who listen. */
    void close() {
        watch.close();
    }

    private void pause(boolean changed, long tookNanos) throws InterruptedException {
        if (changed) {
            lively = System.nanoTime();
        }
        if (System.nanoTime() - lively < LIVELY_NANOS) {
            TimeUnit.NANOSECONDS.sleep(LOOK_NANOS);
        } else {
            // Also where nothing stirs any more, it ends when nobody listens any more.
            stir.sleep(() -> !watch.isWanted() || watch.look());
            lively = System.nanoTime();
        }
    }
}
