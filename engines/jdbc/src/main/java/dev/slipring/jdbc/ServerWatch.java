// SPDX-License-Identifier: Apache-2.0
package dev.slipring.jdbc;

import dev.slipring.engine.ChangeWatch;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Tells when somebody may have changed a ring, as long as somebody listens: asks the server again
 * and again, often while there is something going on and less often when it is quiet.
 */
final class ServerWatch {

    private static final long FIRST_NANOS = TimeUnit.MILLISECONDS.toNanos(2);

    private static final long LAST_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

    /**
     * A look that takes long is taken seldom: at most one part in so many of the time. It is at all
     * rings of the database, so with thousands of them changes are heard of later, up to {@link
     * #MOST_NANOS}.
     */
    private static final int LOOKS_SHARE = 20;

    /** How long to wait at most, however long a look takes. */
    private static final long MOST_NANOS = TimeUnit.SECONDS.toNanos(1);

    /**
     * A figure that grows with each change of a ring, and falls when one is dropped: it may then be
     * one that was seen before, until the next change of any.
     */
    private static final String CHANGES =
            "SELECT (SELECT COALESCE(SUM(turn), 0) FROM slipring_lane)"
                    + " + (SELECT COALESCE(SUM(moves), 0) FROM slipring_gate)"
                    + " + (SELECT COALESCE(SUM(version), 0) FROM slipring_ring)";

    private final JdbcTransactor transactor;
    private final ChangeWatch watch;
    private final AtomicBoolean hasNew = new AtomicBoolean();

    // What follows belongs to the watch's thread.
    private long seen;
    private long wanted = FIRST_NANOS;
    private long before;

    ServerWatch(JdbcTransactor transactor) {
        this.transactor = transactor;
        watch = new ChangeWatch("slipring-jdbc-watch", this::isChanged, this::pause);
    }

    /** Calls back until the result is closed. */
    AutoCloseable listen(Runnable call) {
        AutoCloseable listening = watch.listen(call);
        // The listener has looked before it listens. The next look sees what came in between, and
        // tells of it.
        hasNew.set(true);
        return listening;
    }

    /** Forgets all who listen. */
    void close() {
        watch.close();
    }

    private boolean isChanged() {
        boolean somebodyNew = hasNew.getAndSet(false);
        boolean looked = false;
        try {
            long now = changes();
            looked = true;
            boolean changed = somebodyNew || now != seen;
            seen = now;
            return changed;
        } finally {
            if (somebodyNew && !looked) {
                hasNew.set(true);
            }
        }
    }

    private long changes() {
        Answer<Long> changes = new Answer<>(0L, row -> row.getLong(1));
        transactor.ask(new Script().read(CHANGES, changes));
        return changes.value();
    }

    private void pause(boolean changed, long tookNanos) throws InterruptedException {
        wanted = changed ? FIRST_NANOS : Math.min(wanted + wanted / 8, LAST_NANOS);
        // A look that took long by chance does not count.
        TimeUnit.NANOSECONDS.sleep(pauseNanos(wanted, Math.min(tookNanos, before)));
        before = tookNanos;
    }

    /**
     * How long to wait before the next look.
     *
     * @param wanted by what goes on
     * @param took how long the last look took
     */
    static long pauseNanos(long wanted, long took) {
        return Math.max(wanted, Math.min(LOOKS_SHARE * took, MOST_NANOS));
    }
}
