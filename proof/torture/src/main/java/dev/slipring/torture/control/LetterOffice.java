// SPDX-License-Identifier: Apache-2.0
package dev.slipring.torture.control;

import dev.slipring.DeadLetter;
import dev.slipring.Ring;
import dev.slipring.Stage;
import dev.slipring.torture.Ticks;
import dev.slipring.torture.child.JournalFile;
import dev.slipring.torture.child.Runs;
import dev.slipring.torture.judge.Cause;

import java.util.List;
import java.util.function.LongSupplier;

/** The dead letters of a stage: shown one by one and written down, then retried or dropped. */
final class LetterOffice {

    private static final int SHOWN = 40;

    private final Stage stage;
    private final JournalFile journal;

    LetterOffice(Ring ring, String stage, JournalFile journal) {
        this.stage = ring.stage(stage);
        this.journal = journal;
    }

    /** Does something to dead letters, and notes it. */
    interface Change {
        void make(String kind, String stage, String ids, LongSupplier change);
    }

    /** Looks, and changes some of what there is; returns whether there was anything. */
    boolean handle(int choice, Change changes) {
        long begin = Ticks.now();
        List<DeadLetter> letters = stage.deadLetters(SHOWN);
        for (DeadLetter letter : letters) {
            String run = Runs.of(List.of(letter.delivery()));
            int lane = letter.delivery().lane();
            journal.write("letter", begin, stage.name(), lane, run, Cause.of(letter.error()));
        }
        if (letters.isEmpty()) {
            return false;
        }
        List<String> some = letters.stream().map(DeadLetter::id).toList();
        some = some.subList(0, 1 + choice % some.size());
        String ids = String.join(",", some);
        List<String> named = some;
        if (choice % 3 == 0) {
            changes.make("drop", stage.name(), ids, () -> stage.dropDead(named));
        } else {
            changes.make("retry", stage.name(), ids, () -> stage.retryDead(named));
        }
        return true;
    }
}
