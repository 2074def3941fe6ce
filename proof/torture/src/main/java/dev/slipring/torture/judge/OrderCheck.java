// SPDX-License-Identifier: Apache-2.0
package dev.slipring.torture.judge;

import dev.slipring.torture.Course;

import java.util.HashMap;
import java.util.Map;
import java.util.TreeMap;

/**
 * Promise 4 of an ordered stage: one claim in a lane at a time, in ascending order, and nothing
 * before what was begun and is not finished.
 */
final class OrderCheck {

    private final History history;
    private final String stage;
    private final Finding finding;
    private final Map<Integer, Hand> before = new HashMap<>();
    private final Map<Integer, TreeMap<Long, Hand>> open = new HashMap<>();

    OrderCheck(History history, String stage, Finding finding) {
        this.history = history;
        this.stage = stage;
        this.finding = finding;
    }

    void check() {
        for (Hand hand : history.of(stage)) {
            ascending(hand);
            TreeMap<Long, Hand> unfinished =
                    open.computeIfAbsent(hand.lane, lane -> new TreeMap<>());
            Hand one = before.put(hand.lane, hand);
            boolean reset = one != null && history.isReset(stage, one.begin, hand.end);
            // Who heard late of a claim may have had it before the other.
            if (reset || hand.isLate()) {
                unfinished.clear();
            } else if (one != null && !one.isLate()) {
                follows(one, hand, unfinished);
            }
            if (!hand.isLate()) {
                note(hand, unfinished);
            }
        }
    }

    private void ascending(Hand hand) {
        long next = -1;
        for (Run run : hand.runs) {
            tell(run.position() > next, "comes behind a later one in its claim", hand, run);
            next = run.end() - 1;
        }
    }

    private void tell(boolean holds, String words, Hand hand, Run run) {
        if (!holds) {
            finding.tell(
                    4,
                    "stage '"
                            + stage
                            + "', message "
                            + hand.lane
                            + "-"
                            + run.position()
                            + " "
                            + words,
                    stage,
                    hand.lane,
                    run.position());
        }
    }

    private void follows(Hand one, Hand hand, TreeMap<Long, Hand> unfinished) {
        Run first = hand.runs.get(0);
        Run last = one.runs.get(one.runs.size() - 1);
        tell(
                one.surelyUntil(last.end() - 1) <= hand.end,
                "came while the lane was in another hand",
                hand,
                first);
        unfinished
                .entrySet()
                .removeIf(
                        left -> {
                            Hand holder = left.getValue();
                            return holder.mayBeDead(holder.run(left.getKey()), hand.end);
                        });
        Long lowest = unfinished.isEmpty() ? null : unfinished.firstKey();
        tell(
                lowest == null || lowest >= first.position(),
                "came before " + lowest + ", which is not finished",
                hand,
                first);
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
                    // What a server forgot was not begun, and may fail above before it comes.
                    unfinished.put(at, hand);
                }
            }
        }
    }
}
