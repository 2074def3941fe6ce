// SPDX-License-Identifier: Apache-2.0
package dev.slipring.sqlite;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

/** A log whose syncs end only when a test lets them. */
final class SlowDisk extends ForwardingLog {

    private static final int UNBOUND = 1 << 20;

    private final Semaphore begun = new Semaphore(0);
    private final Semaphore may = new Semaphore(0);
    private volatile boolean broken;

    SlowDisk(LogSync.LogFile log) {
        super(log);
    }

    /** Waits until the next sync has begun, which no call has waited for yet. */
    void awaitSync() throws InterruptedException {
        assertThat(begun.tryAcquire(20, TimeUnit.SECONDS)).as("a sync has begun").isTrue();
    }

    /** How many syncs have begun for which {@link #awaitSync} was not called yet. */
    int more() {
        return begun.availablePermits();
    }

    /** Lets one sync end. */
    void release() {
        may.release();
    }

    /** Lets all syncs end. */
    void releaseAll() {
        may.release(UNBOUND);
    }

    void breakDown() {
        broken = true;
        releaseAll();
    }

    @Override
    public void sync() throws IOException {
        begun.release();
        may.acquireUninterruptibly();
        if (broken) {
            throw new IOException("no such sector");
        }
        super.sync();
    }
}
