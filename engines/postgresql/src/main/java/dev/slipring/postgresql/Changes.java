// SPDX-License-Identifier: Apache-2.0
package dev.slipring.postgresql;

import dev.slipring.StoreFailed;
import dev.slipring.engine.Change;
import dev.slipring.engine.Pause;

import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/**
 * Changes of rings, which wait for open transactions that use the ring: in many tries, of which
 * each waits for a moment only and keeps nobody else waiting meanwhile.
 */
final class Changes {

    private static final long WAIT_NANOS = TimeUnit.SECONDS.toNanos(60);
    private static final long PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(20);

    private final Connections connections;

    Changes(Connections connections) {
        this.connections = connections;
    }

    /** Makes a change, or says who keeps it from being made. */
    long make(String ring, Change change, Supplier<Long> work) {
        if (change instanceof Change.Create) {
            return insist(ring, "created", work);
        } else if (change instanceof Change.Drop) {
            return insist(
                    ring,
                    "dropped",
                    () -> {
                        // Before anything is locked, as that would keep others waiting.
                        call("SELECT slipring.await_drop(?)", ring);
                        return work.get();
                    });
        }
        long touched = insist(ring, "changed", work);
        if (change instanceof Change.Resize) {
            // Nobody goes on by credit that was given by the old capacity.
            call("SELECT slipring.no_credit(slipring.id_of(?))", ring);
        }
        return touched;
    }

    private void call(String sql, String ring) {
        connections.inTransaction(
                "BEGIN ISOLATION LEVEL READ COMMITTED",
                statements -> {
                    statements.call(sql, ring);
                    return null;
                });
    }

    /** Does something until no open transaction is in its way, for a minute at most. */
    <T> T insist(String ring, String what, Supplier<T> work) {
        long end = System.nanoTime() + WAIT_NANOS;
        while (true) {
            try {
                return work.get();
            } catch (StoreFailed failed) {
                if (!Trouble.isLockWait(failed)) {
                    throw failed;
                } else if (System.nanoTime() - end >= 0) {
                    throw new StoreFailed(
                            "ring '"
                                    + ring
                                    + "' is not "
                                    + what
                                    + ": open transactions use it all the time"
                                    + " (pg_stat_activity shows them); end those and try again",
                            failed);
                }
                Pause.sleep(PAUSE_NANOS);
            }
        }
    }
}
