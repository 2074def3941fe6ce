// SPDX-License-Identifier: Apache-2.0
package dev.slipring.jdbc;

import dev.slipring.engine.Shape;

import java.util.function.Function;
import java.util.function.Predicate;

/**
 * The procedures on the server, each of which is a whole transaction in one call: one round trip,
 * and values that go as they are. They do what is usual; what is not they leave to the ledger, and
 * so does a server on which there are none.
 */
final class Procedures {

    private final JdbcTransactor transactor;
    private volatile boolean missing;

    Procedures(JdbcTransactor transactor) {
        this.transactor = transactor;
        missing = !transactor.dialect().hasProcedures();
    }

    Memo memo() {
        return transactor.memo();
    }

    /** The shape to go by; null if it is not known, or there are no procedures. */
    Shape shape(String ring) {
        return missing ? null : memo().shapes().get(ring);
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
                        if (!transactor.dialect().isWithoutProcedures(failed)) {
                            throw failed;
                        }
                        missing = true;
                        return false;
                    }
                });
    }
}
