// SPDX-License-Identifier: Apache-2.0
package dev.slipring;

import dev.slipring.watch.Watcher;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;

/**
 * How workers go on when the store fails: they report the failure, and try again, ever more slowly,
 * until something works. Thread-safe.
 */
final class Patience {

    private static final long FIRST_PAUSE_MILLIS = 50;
    private static final long LAST_PAUSE_MILLIS = 5_000;

    private final Watcher watcher;
    private final CountDownLatch over = new CountDownLatch(1);
    private volatile long pause = FIRST_PAUSE_MILLIS;

    Patience(Watcher watcher) {
        this.watcher = watcher;
    }

    /** The store works. */
    void works() {
        pause = FIRST_PAUSE_MILLIS;
    }

    /** The workers are to end: nobody waits any more. */
    void end() {
        over.countDown();
    }

    /** Tells of a failure and waits for some time. */
    void bear(Throwable e) {
        tell(e);
        // An interrupt that came before is kept, but must not make every pause one of no time.
        boolean interrupted = Thread.interrupted();
        try {
            // Read once: it may become shorter meanwhile.
            long most = pause;
            long millis = ThreadLocalRandom.current().nextLong(most / 2, most + 1);
            over.await(millis, TimeUnit.MILLISECONDS);
        } catch (InterruptedException interrupt) {
            interrupted = true;
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
        pause = Math.min(pause * 2, LAST_PAUSE_MILLIS);
    }

    /** Reports a failure. If there is no memory, it may fail too; that does no harm. */
    private void tell(Throwable e) {
        try {
            watcher.storeFailed(
                    e instanceof SlipringException known
                            ? known
                            : new SlipringException("a worker broke: " + Watcher.words(e), e));
        } catch (RuntimeException | Error mute) {
            // The work is tried again, and the failure reported then if it still fails.
        }
    }
}
