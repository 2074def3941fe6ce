// SPDX-License-Identifier: Apache-2.0
package dev.slipring.sqlite;

import dev.slipring.ledger.Rows;

import java.lang.reflect.UndeclaredThrowableException;
import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Function;

/** Work that a thread waits for while another may run it. */
final class Unit<T> {

    private final Function<Rows, T> work;
    private final boolean durable;
    private final long end;
    private final Thread owner = Thread.currentThread();
    private T result;
    private long logged;
    private Throwable failure;
    private volatile boolean over;

    /** Work that waits so long for whoever keeps the file. */
    Unit(boolean durable, Duration patience, Function<Rows, T> work) {
        this.durable = durable;
        this.end = System.nanoTime() + patience.toNanos();
        this.work = work;
    }

    /** Whether it has waited for the file as long as it may. */
    boolean isLate() {
        return System.nanoTime() - end >= 0;
    }

    boolean isDurable() {
        return durable;
    }

    /** Runs the work; false if it threw. May be called again, as if for the first time. */
    boolean run(SqliteRows rows) {
        result = null;
        failure = null;
        rows.begin();
        try {
            result = work.apply(rows);
        } catch (Throwable e) { // whatever it is, it belongs to the owner
            failure = e;
        }
        return failure == null;
    }

    /** Whether SQLite itself refused something, so that the transaction cannot go on. */
    boolean hasBrokenTransaction() {
        return failure instanceof SqlFailed;
    }

    /**
     * What it changed could not be written, unless that was another's fault: then it runs again.
     */
    void broken(Throwable cause) {
        failure = cause;
    }

    /**
     * Takes the outcome as it is.
     *
     * @param commits how far the log has to be on the disk before anybody hears of it
     */
    void end(Trouble trouble, long commits) {
        logged = commits;
        if (failure instanceof SqlFailed failed) {
            failure = trouble.explain(failed);
        }
        over = true;
    }

    /** Ends without having happened, or without anybody knowing. */
    void fail(Throwable cause) {
        failure = cause;
        over = true;
    }

    boolean isOver() {
        return over;
    }

    void wakeOwner() {
        LockSupport.unpark(owner);
    }

    /** How far the log has to be on the disk before anybody hears of what came out. */
    long logged() {
        return logged;
    }

    /** What came out, for the owner. */
    T result() {
        if (failure instanceof RuntimeException e) {
            throw e;
        } else if (failure instanceof Error e) {
            throw e;
        } else if (failure != null) {
            throw new UndeclaredThrowableException(failure);
        }
        return result;
    }
}
