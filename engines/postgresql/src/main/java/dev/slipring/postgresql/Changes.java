// SPDX-License-Identifier: Apache-2.0
package dev.slipring.postgresql;

import dev.slipring.StoreFailed;
import dev.slipring.engine.BetweenTries;
import dev.slipring.engine.Change;

import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/**
 * Changes of rings. A change waits for open transactions that use the ring. It does so in many
 * tries, each of which waits only a moment, so that nobody else has to wait behind it.
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
        String what =
                change instanceof Change.Create
                        ? "created"
                        : change instanceof Change.Drop ? "dropped" : "changed";
        long touched =
                insist(
                        ring,
                        what,
                        () -> {
                            awaitUsers(ring, change);
                            return work.get();
                        });
        if (change instanceof Change.Resize) {
            // So that nobody goes on pushing on credit that the old capacity gave.
            call("SELECT slipring.no_credit(slipring.id_of(?))", ring);
        }
        return touched;
    }

    /** Waits before anything is locked, as that would keep others waiting. */
    private void awaitUsers(String ring, Change change) {
        if (change instanceof Change.Drop) {
            call("SELECT slipring.await_drop(?)", ring);
        } else if (change instanceof Change.Rewind rewind) {
            awaitWords(ring, rewind.stage());
        } else if (change instanceof Change.RemoveStage remove) {
            awaitWords(ring, remove.stage());
        } else if (change instanceof Change.Purge) {
            awaitWords(ring, null);
        }
    }

    /** Waits for transactions that speak of claims which the change takes out of workers' hands. */
    private void awaitWords(String ring, String stage) {
        call("SELECT slipring.await_words(?, ?)", ring, stage);
    }

    private void call(String sql, Object... values) {
        connections.inTransaction(
                Connections.READ_COMMITTED,
                statements -> {
                    statements.call(sql, values);
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
                BetweenTries.sleep(PAUSE_NANOS);
            }
        }
    }
}
