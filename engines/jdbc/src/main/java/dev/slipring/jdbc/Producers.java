// SPDX-License-Identifier: Apache-2.0
package dev.slipring.jdbc;

import dev.slipring.SlipringException;
import dev.slipring.engine.Slot;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** The producers of a ring: those that have not pushed for a week are forgotten. */
final class Producers {

    private static final long KEPT_MILLIS = TimeUnit.DAYS.toMillis(7);

    /** A producer that pushes for long looks again behind so many pushes. */
    private static final long EVERY = 4_096;

    private static final int AT_ONCE = 100;

    private final JdbcTransactor transactor;

    Producers(JdbcTransactor transactor) {
        this.transactor = transactor;
    }

    /** Whether who has pushed this is to look: with its first push it became one row more. */
    static boolean isDue(Slot pushed) {
        return pushed.producer() != 0 && pushed.number() % EVERY == 1;
    }

    /**
     * Forgets some that are old, behind a push and apart from it: waits for nobody, and has no lane
     * meanwhile, so nobody who has one can wait for more than this.
     */
    void forgetOld(long ring) {
        try {
            List<Long> old = new ArrayList<>();
            String some = " ORDER BY producer" + transactor.dialect().limit(AT_ONCE);
            transactor.ask(read(old, "ring = ?" + some, Lock.NONE, ring));
            if (!old.isEmpty()) {
                transactor.persist(own -> forget(own, ring, old));
            }
        } catch (SlipringException e) {
            // The push has happened, and who comes next tries the same.
            return;
        }
    }

    private Script read(List<Long> found, String where, Lock lock, Object... values) {
        Dialect dialect = transactor.dialect();
        String old = "seen_at < " + dialect.now() + " - " + KEPT_MILLIS + " AND ";
        return new Script()
                .read(
                        dialect.select("producer", "slipring_producer", old + where, lock),
                        row -> found.add(row.getLong(1)),
                        values);
    }

    private Void forget(OwnWork own, long ring, List<Long> old) {
        List<Long> kept = new ArrayList<>();
        Script looks = new Script();
        for (long producer : old) {
            String one = "ring = ? AND producer = ?";
            looks.steps().addAll(read(kept, one, Lock.SKIP, ring, producer).steps());
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
