// SPDX-License-Identifier: Apache-2.0
package dev.slipring.cli.stream;

import dev.slipring.Claim;
import dev.slipring.Fenced;
import dev.slipring.SlipringException;

import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;

/**
 * A claim whose lease is extended as long as this is open, even while a write to a slow reader
 * blocks.
 */
final class HeldClaim implements AutoCloseable {

    private final Claim claim;
    private final ScheduledFuture<?> extending;
    private volatile Fenced fenced;
    private boolean closed;

    HeldClaim(Claim claim, ScheduledExecutorService clock) {
        this.claim = claim;
        long third = Math.max(claim.lease().toMillis() / 3, 1);
        this.extending =
                clock.scheduleWithFixedDelay(this::extend, third, third, TimeUnit.MILLISECONDS);
    }

    private synchronized void extend() {
        if (closed || fenced != null) {
            return;
        }
        try {
            claim.extend();
        } catch (Fenced e) {
            fenced = e;
        } catch (SlipringException e) {
            // The next extension may reach the store again. If none does, the word about the claim
            // will fail.
        }
    }

    /** Throws if the claim was lost. */
    void check() {
        if (fenced != null) {
            throw new Fenced(fenced.getMessage(), fenced);
        }
    }

    /** Ends the extending, and waits for an extension that is under way. */
    @Override
    public synchronized void close() {
        closed = true;
        extending.cancel(false);
    }
}
