// SPDX-License-Identifier: Apache-2.0
package dev.slipring.torture.judge;

import dev.slipring.torture.Course;

/**
 * Promise 7, the other way round: no word is refused as late while the lease surely lasts,
 * something is left in hand, and nothing was done to the stage.
 */
final class RefusalCheck {

    private static final long LEASE = Course.LEASE.toNanos() / 1_000 - Hand.MARGIN;

    private final History history;
    private final Finding finding;

    RefusalCheck(History history, Finding finding) {
        this.history = history;
        this.finding = finding;
    }

    void check() {
        history.hands.values().forEach(hands -> hands.forEach(this::check));
    }

    private void check(Hand hand) {
        long until = hand.begin + LEASE;
        for (Word word : hand.words) {
            if (word.outcome == Word.Outcome.FENCED) {
                boolean reset = history.isReset(hand.stage, hand.begin, word.end);
                if (word.end < until && !hand.forgettable && !reset && isLeft(hand, word)) {
                    long first = hand.runs.get(0).position();
                    finding.tell(7, words(hand, word), hand.stage, hand.lane, first);
                }
                return;
            }
            if (word.kind.equals("extend") && word.outcome == Word.Outcome.OK) {
                until = Math.max(until, word.begin + LEASE);
            }
        }
    }

    private static String words(Hand hand, Word word) {
        return "stage '"
                + hand.stage
                + "', a word ("
                + word
                + ") was refused as late while the lease lasted";
    }

    /** Whether, whatever was said before this word, messages were surely left in hand. */
    private static boolean isLeft(Hand hand, Word late) {
        boolean isOrdered = Course.ORDERED.contains(hand.stage);
        for (Word word : hand.words) {
            if (word == late) {
                break;
            }
            boolean ends = isOrdered && word.kind.startsWith("fail");
            boolean longer = word.kind.equals("extend");
            if (word.mayBeOpen() && !longer || ends && word.mayCount()) {
                return false;
            }
        }
        for (Run run : hand.runs) {
            for (long at = run.position(); at < run.end(); at++) {
                if (!isSpokenFor(hand, at, late)) {
                    return true;
                }
            }
        }
        return false;
    }

    private static boolean isSpokenFor(Hand hand, long at, Word late) {
        for (Word word : hand.words) {
            if (word == late) {
                return false;
            }
            if (word.isAbout(at) && word.mayCount() && !word.kind.equals("extend")) {
                return true;
            }
        }
        return false;
    }
}
