// SPDX-License-Identifier: Apache-2.0
package dev.slipring.torture.child;

import dev.slipring.Claim;
import dev.slipring.Delivery;
import dev.slipring.Fenced;
import dev.slipring.Joined;
import dev.slipring.Ring;
import dev.slipring.SlipringException;
import dev.slipring.torture.Course;
import dev.slipring.torture.arena.Arena;
import dev.slipring.torture.judge.Effect;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.Random;

/**
 * Reports done in a transaction of the worker's own. In the stage that has effects it is together
 * with a row for the effect: both or neither.
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
        if (!isOver(tried(stage, claim, List.of(), random)) && again) {
            tried(stage, claim, List.of(), random);
        }
    }

    /** Reports some messages of a claim as done; returns whether that was taken. */
    boolean part(String stage, Claim claim, List<Delivery> some, Random random)
            throws InterruptedException {
        return tried(stage, claim, some, random).equals("ok");
    }

    /** Whether there is nothing more to report. */
    private static boolean isOver(String outcome) {
        return !outcome.equals("rolledback") && !outcome.equals("cut");
    }

    /**
     * Tries once; returns the outcome.
     *
     * @param some the messages that are done; none for all that are left
     */
    private String tried(String stage, Claim claim, List<Delivery> some, Random random)
            throws InterruptedException {
        boolean commit = random.nextInt(12) > 0;
        if (some.isEmpty()) {
            journal.write("word", stage, -1, "joined");
        } else {
            List<Long> positions = some.stream().map(Delivery::position).toList();
            Runs.stretches(positions).forEach(one -> journal.write("word", stage, one, "joined"));
        }
        String outcome = "cut";
        try (Connection transaction = arena.connect(true)) {
            if (stage.equals(Course.JOINED)) {
                Effect.write(transaction, Runs.of(some.isEmpty() ? claim.left() : some));
            }
            outcome = commit(transaction, claim, some, commit, random);
        } catch (SQLException | SlipringException e) {
            journal.trouble(e);
        } finally {
            journal.write("said", stage, outcome);
        }
        return outcome;
    }

    /**
     * Returns the outcome. If the word is refused, the transaction is rolled back before, so the
     * server knows of its end.
     */
    private String commit(
            Connection transaction,
            Claim claim,
            List<Delivery> some,
            boolean commit,
            Random random)
            throws SQLException, InterruptedException {
        try {
            Joined joined = ring.join(transaction);
            if (some.isEmpty()) {
                joined.done(claim);
            }
            some.forEach(one -> joined.done(claim, one));
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
