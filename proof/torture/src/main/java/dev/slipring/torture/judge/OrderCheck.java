// SPDX-License-Identifier: Apache-2.0
package dev.slipring.torture.judge;

import dev.slipring.torture.Course;

import java.util.HashMap;
import java.util.Map;
import java.util.TreeMap;

/**
 * Promise 4 of an ordered stage: a lane has one claim at a time, in ascending order. Nothing comes
 * before messages that were begun are finished, and no message comes for the first time after one
 * that stands behind it.
 */
final class OrderCheck {

    private final History history;
    private final String stage;
    private final Finding finding;
    private final Map<Integer, Hand> before = new HashMap<>();
    private final Map<Integer, TreeMap<Long, Hand>> open = new HashMap<>();

    /** The messages that were ever claimed in this stage. */
    private final Columns seen = new Columns();

    /** The highest position of each lane that was surely handed out since the last reset. */
    private final Map<Integer, Long> reached = new HashMap<>();

    private final Again again;

    OrderCheck(History history, String stage, Finding finding) {
        this.history = history;
        this.stage = stage;
        this.finding = finding;
        this.again = new Again(history, stage);
    }

    void check() {
        for (Hand hand : history.of(stage)) {
            ascending(hand);
            TreeMap<Long, Hand> unfinished =
                    open.computeIfAbsent(hand.lane, lane -> new TreeMap<>());
            Hand one = before.put(hand.lane, hand);
            boolean reset = one != null && history.isReset(stage, one.begin, hand.end);
            // A claim whose answer came late may have been made before the other one.
            if (reset || hand.isLate()) {
                unfinished.clear();
                reached.remove(hand.lane);
            } else if (one != null && !one.isLate()) {
                follows(one, hand, unfinished);
                first(one, hand);
            }
            see(hand);
            if (!hand.isLate()) {
                note(hand, unfinished);
            }
        }
    }

    private void ascending(Hand hand) {
        long next = -1;
        for (Run run : hand.runs) {
            tell(
                    run.position() > next,
                    "comes behind a later one in its claim",
                    hand,
                    run.position(),
                    next);
            next = run.end() - 1;
        }
    }

    private void tell(boolean holds, String words, Hand hand, long... positions) {
        if (!holds) {
            finding.tell(
                    4,
                    "stage '"
                            + stage
                            + "', message "
                            + hand.lane
                            + "-"
                            + positions[0]
                            + " "
                            + words,
                    stage,
                    hand.lane,
                    positions);
        }
    }

    private void follows(Hand one, Hand hand, TreeMap<Long, Hand> unfinished) {
        long first = hand.runs.get(0).position();
        Run last = one.runs.get(one.runs.size() - 1);
        tell(
                one.surelyUntil(last.end() - 1) <= hand.end,
                "came while the lane was in another hand",
                hand,
                first,
                last.end() - 1);
        unfinished
                .entrySet()
                .removeIf(
                        left -> {
                            Hand holder = left.getValue();
                            return holder.mayBeDead(holder.run(left.getKey()), hand.end);
                        });
        Long lowest = unfinished.isEmpty() ? null : unfinished.firstKey();
        tell(
                lowest == null || lowest >= first,
                "came before " + lowest + ", which is not finished",
                hand,
                first,
                lowest == null ? first : lowest);
    }

    /**
     * A message that comes for the first time stands behind all that came before, unless it reached
     * the stage late.
     */
    private void first(Hand one, Hand hand) {
        long highest = one.end < hand.begin ? reached.getOrDefault(hand.lane, -1L) : -1;
        for (Run run : hand.runs) {
            for (long at = run.position(); run.attempt() == 1 && at < run.end(); at++) {
                boolean isNew = seen.of(hand.lane).get(at) < 0 && !again.cameTwice(hand.lane, at);
                if (isNew && at < highest) {
                    tell(false, "came first when " + highest + " had come", hand, at, highest);
                }
            }
        }
    }

    private void see(Hand hand) {
        for (Run run : hand.runs) {
            for (long at = run.position(); at < run.end(); at++) {
                seen.of(hand.lane).set(at, 1);
            }
            if (!hand.forgettable && !hand.isLate()) {
                reached.merge(hand.lane, run.end() - 1, Math::max);
            }
        }
    }

    /** Notes what a hand leaves unfinished. */
    private void note(Hand hand, TreeMap<Long, Hand> unfinished) {
        for (Run run : hand.runs) {
            for (long at = run.position(); at < run.end(); at++) {
                boolean last = run.attempt() >= Course.TRIES;
                boolean finished =
                        switch (hand.fate(at)) {
                            case DONE, MAYBE -> true;
                            case FAILED, NONE -> last;
                            case BACK -> false;
                        };
                if (finished) {
                    unfinished.remove(at);
                } else if (!hand.forgettable) {
                    // If the server forgot the claim, it was not begun, and its messages may fail
                    // in an earlier stage before they come again.
                    unfinished.put(at, hand);
                }
            }
        }
    }
}
