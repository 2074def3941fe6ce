// SPDX-License-Identifier: Apache-2.0
package dev.slipring.ledger;

import java.time.Duration;
import java.util.function.Consumer;
import java.util.function.Function;

/** Runs work on rows in transactions. Every method may be called by any thread. */
public interface Transactor {

    /**
     * Runs work in a transaction of its own, with no other writer beside it, and returns when that
     * has committed. The work may be run more than once, and may share its transaction with others'
     * work, so it does nothing but read and write rows. If it throws, nothing of it has happened.
     *
     * @param durable whether it has to be on the disk when this returns; if not it is behind what
     *     was committed before and in front of what is committed later
     */
    <T> T write(boolean durable, Function<Rows, T> work);

    /**
     * Runs durable work, but waits only some time for others whose transactions keep it from
     * beginning. A store in which one does not keep all others does not wait for that.
     *
     * @return false if they did, and nothing has happened
     */
    default boolean tryWrite(Duration patience, Consumer<Rows> work) {
        write(
                true,
                rows -> {
                    work.accept(rows);
                    return null;
                });
        return true;
    }

    /** Runs work that only reads, on one consistent state. */
    <T> T read(Function<Rows, T> work);

    /** The same for work that takes long, and keeps no other reader waiting. */
    default <T> T readAtLength(Function<Rows, T> work) {
        return read(work);
    }
}
