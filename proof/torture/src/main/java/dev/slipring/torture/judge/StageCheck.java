// SPDX-License-Identifier: Apache-2.0
package dev.slipring.torture.judge;

import dev.slipring.torture.Course;

import java.util.List;

/**
 * Promises 2, 3 and 7 of a stage: a message is in one claim at a time, comes again if it is not
 * done, and late words are refused.
 */
final class StageCheck {

    private final History history;
    private final String stage;
    private final Finding finding;
    private final List<Hand> hands;
    private final Columns last = new Columns();
    private final StarveCheck starve;

    private long redeliveries;

    StageCheck(History history, String stage, Finding finding) {
        this.history = history;
        this.stage = stage;
        this.finding = finding;
        this.hands = history.of(stage);
        this.starve = new StarveCheck(stage, finding, new Again(history, stage));
    }

    long redeliveries() {
        return redeliveries;
    }

    /** How long a message that was due again waited at most, in milliseconds. */
    long longestWait() {
        return starve.longest();
    }

    /** The message that waited longest. */
    String longestWaitOf() {
        return starve.longestOf();
    }

    void check() {
        for (int i = 0; i < hands.size(); i++) {
            Hand hand = hands.get(i);
            boolean isFresh = true;
            Column column = last.of(hand.lane);
            for (Run run : hand.runs) {
                tell(run.attempt() <= Course.TRIES, 3, "came too often", hand, run.position());
                isFresh &= run.attempt() == 1;
                for (long at = run.position(); at < run.end(); at++) {
                    int before = column.get(at);
                    if (before >= 0) {
                        isFresh = false;
                        redeliveries++;
                        again(hands.get(before), hand, run, at);
                    }
                    column.set(at, i);
                }
            }
            starve.add(hand, isFresh);
            words(hand);
            paused(hand);
        }
        starve.check();
    }

    private void tell(boolean holds, int promise, String words, Hand hand, long... at) {
        if (!holds) {
            String what = "stage '" + stage + "', message " + hand.lane + "-" + at[0] + " " + words;
            finding.tell(promise, what, stage, hand.lane, at);
        }
    }

    /** Checks a message that was in one claim and came into another. */
    private void again(Hand one, Hand other, Run run, long at) {
        if (history.isReset(stage, Math.min(one.begin, other.begin), other.end)) {
            return;
        }
        long both = Math.min(one.surelyUntil(at), other.surelyUntil(at));
        tell(Math.max(one.end, other.end) >= both, 2, "is in two live claims", other, at);
        Word decisive = one.decisive(at);
        boolean wasDone = one.fate(at) == Hand.Fate.DONE && decisive.end < other.begin;
        tell(!wasDone, 3, "was done, and came again", other, at);
        if (one.end < other.begin) {
            for (Word word : one.words) {
                boolean late = word.outcome == Word.Outcome.OK && word.begin > other.end;
                tell(
                        !late || !word.isAbout(at),
                        7,
                        "was spoken for by a worker that had lost it",
                        other,
                        at);
                if (word == decisive) {
                    // What the worker says later about the rest of the claim is no longer about
                    // this message.
                    break;
                }
            }
        }
        boolean next = run.attempt() == one.run(at).attempt() + 1;
        long due = one.dueAgain(at);
        if (next && other.begin > due) {
            starve.waited(due, other, at);
        }
    }

    /** No word is taken after the lease. */
    private void words(Hand hand) {
        for (Word word : hand.words) {
            boolean late = word.outcome == Word.Outcome.OK && word.begin > hand.surelyOver(word);
            tell(!late, 7, "was spoken for after its lease", hand, hand.runs.get(0).position());
        }
    }

    private void paused(Hand hand) {
        Order pause = null;
        for (Order order : history.orders) {
            if (!order.stage.equals(stage)) {
                continue;
            }
            if (order.kind.equals("pause") && order.ok) {
                pause = order;
            } else if (order.kind.equals("resume") && pause != null) {
                boolean inside = hand.begin > pause.end && hand.end < order.begin;
                tell(!inside, 4, "came while paused", hand, hand.runs.get(0).position());
                pause = null;
            }
        }
    }
}
