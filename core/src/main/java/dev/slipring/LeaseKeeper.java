// SPDX-License-Identifier: Apache-2.0
package dev.slipring;

import dev.slipring.watch.Watcher;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * Extends the leases of claims that are being handled, three times in the time of a lease, so that
 * one that is late or fails does no harm.
 */
final class LeaseKeeper implements AutoCloseable {

    private final Set<Claim> inHand = ConcurrentHashMap.newKeySet();
    private final Watcher watcher;
    private final long everyNanos;
    private final Thread thread;
    private volatile boolean closed;

    LeaseKeeper(String name, long leaseMillis, Watcher watcher) {
        this.watcher = watcher;
        this.everyNanos = Math.max(TimeUnit.MILLISECONDS.toNanos(leaseMillis) / 3, 1_000_000);
        this.thread = new Thread(this::run, name);
        thread.setDaemon(true);
        thread.start();
    }

    void keep(Claim claim) {
        inHand.add(claim);
    }

    void drop(Claim claim) {
        inHand.remove(claim);
    }

    private void run() {
        long next = System.nanoTime() + everyNanos;
        while (!closed) {
            LockSupport.parkNanos(Math.max(next - System.nanoTime(), 1));
            if (System.nanoTime() - next >= 0) {
                inHand.forEach(this::extend);
                next += everyNanos;
            }
        }
    }

    private void extend(Claim claim) {
        try {
            claim.extend();
        } catch (Fenced e) {
            // The worker learns it from the claim, which has nothing left now.
            inHand.remove(claim);
        } catch (RuntimeException e) {
            watcher.storeFailed(new SlipringException("a lease was not extended: " + e, e));
        }
    }

    @Override
    public void close() {
        closed = true;
        LockSupport.unpark(thread);
    }
}
