// SPDX-License-Identifier: Apache-2.0
package dev.slipring.sqlite;

import dev.slipring.StoreFailed;
import dev.slipring.ledger.Rows;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Function;

/**
 * The only writer of a store. SQLite takes one transaction at a time, so whoever has the connection
 * runs the work of all who wait in one transaction, and commits once for all of them.
 */
final class GroupWriter implements AutoCloseable {

    private static final int MOST = 256;

    /**
     * How long one try to get the file takes at most. After each, new units join, and those that
     * can wait no longer fail.
     */
    private static final long LOOK_NANOS = TimeUnit.MILLISECONDS.toNanos(20);

    private final Statements statements;
    private final LockPatience patience;
    private final Trouble trouble;
    private final Pushers pushers = new Pushers(System::nanoTime);
    private final LogSync log;
    private final OpenFile file;
    private final boolean syncs;
    private final ReentrantLock lock = new ReentrantLock();
    private final Deque<Unit<?>> pending = new ConcurrentLinkedDeque<>();
    private final Neighbours neighbours;
    private final GroupTransaction transaction;
    private final Checkpointer checkpointer;
    private final ReadAhead ahead;
    private volatile boolean closed;

    GroupWriter(
            Shared shared,
            Statements statements,
            ReadAhead ahead,
            LogSync.LogFile log,
            Checkpointer checkpointer) {
        this.statements = statements;
        this.ahead = ahead;
        this.log = new LogSync(log, pushers::synced);
        this.checkpointer = checkpointer;
        file = shared.file();
        trouble = shared.trouble();
        patience = new LockPatience(shared.options().busy());
        syncs = shared.options().fullSync();
        neighbours = new Neighbours(statements);
        transaction =
                new GroupTransaction(
                        statements,
                        shared.rows(statements, ahead),
                        patience,
                        trouble,
                        neighbours,
                        new Committed());
    }

    /** What commits mean for the disk, and for those who copy the log. */
    private final class Committed implements GroupTransaction.Commits {

        @Override
        public void ofOthers() {
            if (syncs) {
                log.want();
            }
        }

        @Override
        public void ofGroup(boolean durable) {
            if (syncs && durable) {
                log.want();
                pushers.committed(log.wanted());
            }
            checkpointer.committed();
        }

        @Override
        public long wanted() {
            return log.wanted();
        }
    }

    /**
     * Runs work, together with that of others. When this returns, the changes of durable work are
     * on the disk. Those of other work may not be; but what it has read is, as somebody may act on
     * that.
     */
    <T> T write(boolean durable, Function<Rows, T> work) {
        return write(durable, patience.most(), work);
    }

    /**
     * The same with another patience.
     *
     * @throws FileLocked if others kept the file for longer than that
     */
    <T> T write(boolean durable, Duration wait, Function<Rows, T> work) {
        log.check();
        if (!closed) {
            // Whoever closes the store removes the log.
            file.check();
        }
        Unit<T> unit = new Unit<>(durable, wait, work);
        if (durable) {
            pushers.come();
            try {
                pending.add(unit);
                run(unit);
            } finally {
                pushers.go();
            }
        } else {
            pushers.letPass(lock::isLocked);
            pending.add(unit);
            // What the next claim has to read is read here, and not while it keeps all others from
            // writing.
            ahead.fetch();
            run(unit);
        }
        T result = unit.result();
        if (!durable && !log.isSynced(unit.logged())) {
            ahead.fetch();
        }
        log.await(unit.logged());
        return result;
    }

    /** Becomes the writer, or waits for whoever is, until a unit is over. */
    private void run(Unit<?> unit) {
        boolean interrupted = false;
        while (!unit.isOver()) {
            if (lock.tryLock()) {
                try {
                    while (!unit.isOver()) {
                        runGroup(unit);
                    }
                } finally {
                    release();
                }
            } else {
                LockSupport.park(this);
                // An interrupt must not make this a busy loop; the outcome is known soon.
                interrupted |= Thread.interrupted();
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    /**
     * Whether another connection has committed since this was last asked, as far as one can tell.
     */
    boolean neighboursCommitted() {
        neighbours.ask();
        if (lock.tryLock()) {
            release();
        }
        return neighbours.answer();
    }

    /** Waits for the work in hand, then refuses all that comes. */
    @Override
    public void close() {
        lock.lock();
        try {
            if (!closed) {
                closed = true;
                log.close();
                if (file.isFreeToClose()) {
                    end();
                }
            }
        } finally {
            release();
        }
    }

    private void end() {
        copyLog();
        try {
            statements.end();
        } finally {
            file.closed();
        }
    }

    /**
     * Whoever closes the file last copies what is left in the log, by a connection that is as the
     * pool had it by then and may not sync.
     */
    private void copyLog() {
        try {
            statements.number("PRAGMA wal_checkpoint(PASSIVE)");
        } catch (SqlFailed e) {
            // The log stays, and is as good as the file.
        }
    }

    /** Gives the connection up, and wakes the one that has waited longest. */
    private void release() {
        try {
            if (!closed) {
                neighbours.lookIfAsked();
            }
        } finally {
            lock.unlock();
        }
        Unit<?> next = pending.peek();
        if (next != null) {
            next.wakeOwner();
        }
    }

    /**
     * Runs what waits. What is left when this thread's own unit is over is left to the next writer.
     */
    private void runGroup(Unit<?> own) {
        List<Unit<?>> group = new ArrayList<>();
        gather(group, MOST);
        try {
            if (!closed && begin(group, own, true) && !transaction.run(group)) {
                runAlone(group, own);
            } else {
                putBack(group);
            }
        } finally {
            for (Unit<?> unit : group) {
                if (!unit.isOver()) {
                    unit.fail(
                            new StoreFailed(
                                    closed
                                            ? "the store is closed"
                                            : "the transaction broke off; nothing was stored"));
                }
                unit.wakeOwner();
            }
        }
    }

    /** Runs the units of a group that was rolled back, each in a transaction of its own. */
    private void runAlone(List<Unit<?>> group, Unit<?> own) {
        for (int i = 0; i < group.size(); i++) {
            List<Unit<?>> alone = new ArrayList<>(group.subList(i, i + 1));
            if (begin(alone, own, false)) {
                transaction.run(alone);
            } else if (!alone.isEmpty()) {
                putBack(group.subList(i, group.size()));
            }
        }
    }

    private void gather(List<Unit<?>> group, int most) {
        while (group.size() < most && !pending.isEmpty()) {
            group.add(pending.poll());
        }
    }

    /**
     * Takes what is not over out of the group and puts it back in front, for the next writer to
     * run.
     */
    private void putBack(List<Unit<?>> units) {
        if (!closed) {
            for (int i = units.size() - 1; i >= 0; i--) {
                if (!units.get(i).isOver()) {
                    pending.addFirst(units.remove(i));
                }
            }
        }
    }

    /**
     * Begins a transaction for a group. Units whose patience ends before that fail.
     *
     * @param own the unit of this thread: once it is over, this does not go on waiting for the
     *     others
     * @param open whether those who come meanwhile join the group
     * @return false if it did not begin
     */
    private boolean begin(List<Unit<?>> group, Unit<?> own, boolean open) {
        while (!group.isEmpty()) {
            try {
                transaction.begin(LOOK_NANOS);
                return true;
            } catch (SqlFailed e) {
                if (open) {
                    gather(group, Integer.MAX_VALUE);
                }
                group.removeIf(unit -> (!e.isBusy() || unit.isLate()) && isToldOf(unit, e));
                if (own.isOver()) {
                    return false;
                }
            }
        }
        return false;
    }

    private boolean isToldOf(Unit<?> unit, SqlFailed failure) {
        unit.fail(trouble.explain(failure));
        unit.wakeOwner();
        return true;
    }
}
