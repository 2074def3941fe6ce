// SPDX-License-Identifier: Apache-2.0
package dev.slipring.ledger;

import java.time.Duration;
import java.util.Optional;
import java.util.function.Function;

/**
 * Runs work on rows in transactions. Every method may be called by any thread.
 *
 * @param <R> what the work may do: look after a ring only, or push and claim too
 */
public interface Transactor<R extends RingRows> {

    /**
     * Runs work in a transaction, and returns when that has committed. The work may be run more
     * than once, and may share the transaction with the work of other threads, so it must do
     * nothing but read and write rows. If it throws, nothing of it has happened, and this throws
     * the same. Where several transactions run at once, each read sees what was committed before
     * it. If the work throws while its ring has another version than the shape that it found, it is
     * run again: rows of two versions look like a broken ring.
     *
     * @param durable whether it has to be on the disk when this returns; if not, it reaches the
     *     disk after what was committed before it, and before what is committed later
     */
    <T> T write(boolean durable, Function<R, T> work);

    /**
     * Like a durable {@link #write}, but gives up if transactions of others keep it from beginning
     * for some time. Only an engine in which one transaction keeps out all others ever gives up.
     *
     * @return what the work returned, which is never null; empty if it gave up, and then nothing
     *     has happened
     */
    default <T> Optional<T> tryWrite(Duration patience, Function<R, T> work) {
        return Optional.of(write(true, work));
    }

    /** Runs work that only reads, on one consistent state. */
    <T> T read(Function<R, T> work);

    /** The same for work that takes long: it keeps no other reader waiting. */
    default <T> T readAtLength(Function<R, T> work) {
        return read(work);
    }
}
