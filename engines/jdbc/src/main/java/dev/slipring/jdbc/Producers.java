// SPDX-License-Identifier: Apache-2.0
package dev.slipring.jdbc;

import dev.slipring.engine.Slot;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * The producers of a ring: those that have not pushed for a day are forgotten, some at a time.
 * Their names are random, so each has its turn.
 */
final class Producers {

    private static final long KEPT_MILLIS = TimeUnit.DAYS.toMillis(1);

    /** A producer that goes on pushing looks again after so many pushes. */
    private static final long EVERY = 4_096;

    /** How many are looked at, old or not: there may be as many as processes in a day. */
    private static final int AT_ONCE = 100;

    private final JdbcTransactor transactor;

    Producers(JdbcTransactor transactor) {
        this.transactor = transactor;
    }

    /**
     * Whether the producer of this push is to look now: after its first push, with which it added a
     * row, and then now and again.
     */
    static boolean isDue(Slot pushed) {
        return pushed.producer() != 0 && pushed.number() % EVERY == 1;
    }

    /**
     * Forgets some that are old, after a push and in a transaction of its own. It waits for nobody
     * and locks no lane, so it cannot be part of a deadlock.
     *
     * @param from the producer to begin with
     */
    void forgetOld(long ring, long from) {
        try {
            List<Long> old = new ArrayList<>();
            String some =
                    "ring = ? AND producer >= ? ORDER BY producer"
                            + transactor.dialect().limit(AT_ONCE);
            transactor.ask(read(old, some, Lock.NONE, ring, from));
            if (!old.isEmpty()) {
                transactor.persist(own -> forget(own, ring, old));
            }
        } catch (RuntimeException e) {
            // Whatever it is, the push has happened, and the next producer tries the same.
        }
    }

    private Script read(List<Long> found, String where, Lock lock, Object... values) {
        Dialect dialect = transactor.dialect();
        String columns = "producer, " + dialect.now() + " - seen_at";
        return new Script()
                .read(
                        dialect.select(columns, "slipring_producer", where, lock),
                        row -> {
                            if (row.getLong(2) > KEPT_MILLIS) {
                                found.add(row.getLong(1));
                            }
                        },
                        values);
    }

    private Void forget(OwnWork own, long ring, List<Long> old) {
        List<Long> kept = new ArrayList<>();
        Script looks = new Script();
        for (long producer : old) {
            String one = "ring = ? AND producer = ?";
            looks.add(read(kept, one, Lock.SKIP, ring, producer));
        }
        own.run(looks);
        Script changes = new Script();
        for (long producer : kept) {
            changes.run(
                    "DELETE FROM slipring_producer WHERE ring = ? AND producer = ?",
                    ring,
                    producer);
        }
        own.commit(changes);
        return null;
    }
}
