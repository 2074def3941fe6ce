// SPDX-License-Identifier: Apache-2.0
package dev.slipring.jdbc;

import dev.slipring.graph.Shape;

import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.function.LongSupplier;
import java.util.function.Predicate;

/**
 * The procedures on the server. Each call is a whole transaction in one round trip, with values
 * that go as they are. They do the usual cases, and leave all others to the ledger. Where a server
 * has no procedures, the ledger does everything, until they are looked for again.
 */
final class Procedures {

    /** Somebody may be making them anew, or be giving the right to call them. */
    private static final long AGAIN_NANOS = TimeUnit.SECONDS.toNanos(30);

    private final JdbcTransactor transactor;
    private final LongSupplier nanos;

    /** When they were found missing; null if they were not, or that was long ago. */
    private volatile Long missedAt;

    Procedures(JdbcTransactor transactor) {
        this(transactor, System::nanoTime);
    }

    /** The same by another clock. */
    Procedures(JdbcTransactor transactor, LongSupplier nanos) {
        this.transactor = transactor;
        this.nanos = nanos;
    }

    Memo memo() {
        return transactor.memo();
    }

    /** The shape to go by; null if it is not known, or there are no procedures. */
    Shape shape(String ring) {
        return areMissing() ? null : memo().shapes().get(ring);
    }

    private boolean areMissing() {
        Long missed = missedAt;
        if (missed != null && nanos.getAsLong() - missed >= AGAIN_NANOS) {
            missedAt = null;
            return false;
        }
        return missed != null || !transactor.dialect().hasProcedures();
    }

    /** Reads what is committed and does not change. */
    <T> T read(Function<OwnWork, T> reading) {
        return transactor.persist(reading);
    }

    /** Runs a transaction that is a call; false if it is left to the ledger. */
    boolean call(Predicate<OwnWork> call) {
        return transactor.persist(
                own -> {
                    try {
                        return call.test(own);
                    } catch (SqlFailed failed) {
                        if (!transactor.dialect().trouble().isWithoutProcedures(failed)) {
                            throw failed;
                        }
                        missedAt = nanos.getAsLong();
                        return false;
                    }
                });
    }
}
