// SPDX-License-Identifier: Apache-2.0
package dev.slipring.torture.child;

import dev.slipring.Claim;
import dev.slipring.Fenced;
import dev.slipring.Ring;
import dev.slipring.SlipringException;
import dev.slipring.torture.arena.Arena;
import dev.slipring.torture.judge.Effect;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.Random;

/**
 * Reports done in a transaction of the worker's own, together with a row for the effect: both or
 * neither.
 */
final class Effects {

    private final Ring ring;
    private final Arena arena;
    private final JournalFile journal;

    Effects(Ring ring, Arena arena, JournalFile journal) {
        this.ring = ring;
        this.arena = arena;
        this.journal = journal;
    }

    /** Reports a claim as done; after a rollback it mostly tries once more. */
    void done(String stage, Claim claim, Random random) throws InterruptedException {
        boolean again = random.nextInt(5) > 0;
        if (!tried(stage, claim, random) && again) {
            tried(stage, claim, random);
        }
    }

    /** Tries once; returns whether there is nothing more to report. */
    private boolean tried(String stage, Claim claim, Random random) throws InterruptedException {
        boolean commit = random.nextInt(12) > 0;
        journal.write("word", stage, -1, "joined");
        String outcome = "cut";
        try (Connection transaction = arena.connect(true)) {
            outcome = commit(transaction, claim, commit, random);
        } catch (SQLException | SlipringException e) {
            journal.trouble(e);
        } finally {
            journal.write("said", stage, outcome);
        }
        return !outcome.equals("rolledback") && !outcome.equals("cut");
    }

    /**
     * Returns the outcome. If the word is refused, the transaction is rolled back before, so the
     * server knows of its end.
     */
    private String commit(Connection transaction, Claim claim, boolean commit, Random random)
            throws SQLException, InterruptedException {
        try {
            Effect.write(transaction, Runs.of(claim.left()));
            ring.join(transaction).done(claim);
        } catch (Fenced e) {
            transaction.rollback();
            return "fenced";
        }
        if (random.nextInt(50) == 0) {
            Thread.sleep(random.nextInt(300));
        }
        if (!commit) {
            transaction.rollback();
            return "rolledback";
        }
        try {
            transaction.commit();
        } catch (SQLException e) {
            journal.trouble(e);
            return "unknown";
        }
        return "ok";
    }
}
