// SPDX-License-Identifier: Apache-2.0
package dev.slipring.jdbc;

import dev.slipring.OutcomeUnknown;
import dev.slipring.StoreFailed;
import dev.slipring.engine.BetweenTries;
import dev.slipring.ledger.Rows;
import dev.slipring.ledger.Transactor;
import dev.slipring.sql.Precondition;

import java.sql.Connection;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Consumer;
import java.util.function.Function;

/** Runs work in transactions on a server, and runs it again where the server asks for that. */
final class JdbcTransactor implements Transactor<Rows> {

    private static final int MOST_TRIES = 1_000;
    private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(60);

    private final Dialect dialect;
    private final Sessions sessions;
    private final String server;
    private final Memo memo;
    private final LongAdder retries;
    private final boolean patient;

    private final Precondition<JdbcTransactor> precondition;

    JdbcTransactor(Dialect dialect, Sessions sessions, String server) {
        this.dialect = dialect;
        this.sessions = sessions;
        this.server = server;
        memo = new Memo(sessions.areOurs());
        sessions.whenLost(memo::forgetCommitted);
        retries = new LongAdder();
        patient = true;
        precondition = new Precondition<>();
    }

    private JdbcTransactor(JdbcTransactor other) {
        this.dialect = other.dialect;
        this.sessions = other.sessions;
        this.server = other.server;
        this.memo = other.memo;
        this.retries = other.retries;
        this.patient = false;
        this.precondition = other.precondition;
    }

    /** Has this hold before work of any kind. */
    void require(Consumer<JdbcTransactor> refusal) {
        precondition.set(refusal);
    }

    /**
     * The same, but work is not run again when a session has waited its time for whoever keeps rows
     * locked: then it fails with {@link LockWaitOver}, and nothing has happened.
     */
    JdbcTransactor impatient() {
        return new JdbcTransactor(this);
    }

    Dialect dialect() {
        return dialect;
    }

    Sessions sessions() {
        return sessions;
    }

    String server() {
        return server;
    }

    /** How often a transaction of ours was run again, because the server asked for it. */
    long retries() {
        return retries.sum();
    }

    Memo memo() {
        return memo;
    }

    @Override
    public <T> T write(boolean durable, Function<Rows, T> work) {
        return persist(own -> run(own, work));
    }

    /** Runs something that is a transaction on a session of ours, again if the server asks. */
    <T> T persist(Function<OwnWork, T> transaction) {
        precondition.require(this);
        long deadline = System.nanoTime() + PATIENCE_NANOS;
        for (int attempt = 1; ; attempt++) {
            OwnWork own = new OwnWork(dialect, sessions);
            try {
                return sessions.call(() -> whole(own, transaction));
            } catch (Stale stale) {
                memo.shapes().clear();
                requireMore(attempt, stale);
            } catch (SqlFailed failed) {
                if (!patient && dialect.trouble().isLockWait(failed)) {
                    throw new LockWaitOver(failed);
                }
                boolean again =
                        dialect.trouble().isRetryable(failed)
                                || failed.isConnectionLost() && !own.isCommitting() && attempt == 1;
                // After a switchover this server is read-only, and another one has what is
                // committed.
                if (failed.isConnectionLost() || dialect.trouble().isReadOnly(failed)) {
                    memo.forgetCommitted();
                    sessions.giveUp();
                }
                if (own.isCommitting()
                        && (failed.isConnectionLost() || dialect.trouble().isStopped(failed))) {
                    throw unknown(failed);
                }
                if (!again || attempt > MOST_TRIES || System.nanoTime() - deadline > 0) {
                    throw dialect.trouble().explain(failed, server);
                }
                memo.shapes().clear();
                retries.increment();
                pause(attempt);
            }
        }
    }

    private static <T> T whole(OwnWork own, Function<OwnWork, T> transaction) {
        try (own) {
            return transaction.apply(own);
        }
    }

    private OutcomeUnknown unknown(SqlFailed failed) {
        return new OutcomeUnknown(
                (failed.isConnectionLost()
                                ? "the connection to " + server + " broke in the commit"
                                : "a statement was stopped or cut off on "
                                        + server
                                        + " in the commit")
                        + ": what was asked may or may not be stored ("
                        + failed.getMessage()
                        + ")",
                failed.getCause());
    }

    private void requireMore(int attempt, Stale stale) {
        if (attempt > MOST_TRIES) {
            throw new StoreFailed(
                    "the ring on " + server + " changes all the time; try again", stale);
        }
    }

    private static void pause(int attempt) {
        long most = Math.min(1L << Math.min(attempt, 6), 50) * 1_000_000;
        BetweenTries.sleep(ThreadLocalRandom.current().nextLong(most / 4, most));
    }

    private <T> T run(OwnWork own, Function<Rows, T> work) {
        JdbcRows rows = new JdbcRows(own, memo);
        T result = rows.verified(work);
        own.commit(rows.changes());
        rows.committed();
        return result;
    }

    @Override
    public <T> T read(Function<Rows, T> work) {
        precondition.require(this);
        long deadline = System.nanoTime() + PATIENCE_NANOS;
        for (int attempt = 1; ; attempt++) {
            try {
                return sessions.call(
                        () -> whole(new OwnWork(dialect, sessions), own -> read(own, work)));
            } catch (SqlFailed failed) {
                boolean again =
                        dialect.trouble().isRetryable(failed)
                                || failed.isConnectionLost() && attempt == 1;
                if (failed.isConnectionLost()) {
                    sessions.giveUp();
                }
                if (!again || attempt > MOST_TRIES || System.nanoTime() - deadline > 0) {
                    throw dialect.trouble().explain(failed, server);
                }
                retries.increment();
                pause(attempt);
            }
        }
    }

    private <T> T read(OwnWork own, Function<Rows, T> work) {
        own.beginReading();
        T result = work.apply(new JdbcRows(own, memo.withoutShapes()));
        own.commit(new Script());
        return result;
    }

    /** Asks the server something, outside of any transaction. */
    void ask(Script script) {
        sessions.call(
                () -> {
                    askNow(script);
                    return null;
                });
    }

    private void askNow(Script script) {
        Session session = null;
        boolean clean = false;
        try {
            session = sessions.take();
            session.run(script);
            clean = true;
        } catch (SqlFailed failed) {
            throw dialect.trouble().explain(failed, server);
        } finally {
            if (session != null) {
                // A session that failed may still have the isolation level of a query that it did
                // not run.
                sessions.give(session, clean);
            }
        }
    }

    /** What runs work in the caller's transaction, which stays open. */
    JoinedTransactor join(Connection transaction) {
        precondition.require(this);
        JoinedTransactor joined = new JoinedTransactor(transaction, this);
        joined.check();
        joined.checkOptions();
        return joined;
    }
}
