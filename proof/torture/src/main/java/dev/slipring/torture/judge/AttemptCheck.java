// SPDX-License-Identifier: Apache-2.0
package dev.slipring.torture.judge;

import dev.slipring.torture.Course;

/**
 * The number of each attempt follows from what became of the one before: it is the next after a
 * failure or a lease that ran out, the same after a giving back, and the first after a retry of a
 * dead letter. Claims that no journal tells of may have come in between.
 */
final class AttemptCheck {

    private final History history;
    private final Places places;
    private final String stage;
    private final Finding finding;
    private final boolean isOrdered;
    private final Columns last = new Columns();

    /** Where two claims overlapped, of which either may have been first. */
    private final Columns unsure = new Columns();

    private long died;

    AttemptCheck(History history, Places places, String stage, Finding finding) {
        this.history = history;
        this.places = places;
        this.stage = stage;
        this.finding = finding;
        this.isOrdered = Course.ORDERED.contains(stage);
    }

    void check() {
        for (int i = 0; i < history.of(stage).size(); i++) {
            Hand hand = history.of(stage).get(i);
            Column column = last.of(hand.lane);
            for (Run run : hand.runs) {
                for (long at = run.position(); at < run.end(); at++) {
                    if (column.get(at) < 0) {
                        first(hand, run, at);
                    } else {
                        Hand one = history.of(stage).get(column.get(at));
                        boolean overlaps = hand.begin <= one.end;
                        if (!overlaps && unsure.of(hand.lane).get(at) < 1) {
                            again(one, hand, run, at);
                        }
                        unsure.of(hand.lane).set(at, overlaps ? 1 : 0);
                    }
                    column.set(at, i);
                }
            }
        }
    }

    /** How many messages surely died of a lease that ran out at their last attempt. */
    long died() {
        return died;
    }

    private void first(Hand hand, Run run, long at) {
        if (run.attempt() == 1) {
            return;
        }
        Push push = history.push(places.producer(hand.lane, at), places.number(hand.lane, at));
        long since = push == null ? history.begin() : push.begin;
        int most = 1 + hidden(hand, at, since);
        tell(run.attempt() <= most, "came first at attempt " + run.attempt(), hand, at);
    }

    private void again(Hand one, Hand other, Run run, long at) {
        Hand.Fate fate = one.fate(at);
        int before = one.run(at).attempt();
        boolean counts = fate == Hand.Fate.FAILED || fate == Hand.Fate.NONE;
        if (counts && run.attempt() == before + 1) {
            return;
        }
        boolean reset = history.isReset(stage, one.begin, other.end);
        if (reset || fate == Hand.Fate.DONE) {
            return;
        }
        boolean retried = history.isRetried(stage, id(other, at), one.begin, other.end);
        boolean same = fate == Hand.Fate.BACK || fate == Hand.Fate.MAYBE;
        int least = same ? before : before + 1;
        int most = fate == Hand.Fate.BACK ? before : before + 1;
        if (retried && before == Course.TRIES) {
            most = 1;
            died += fate == Hand.Fate.NONE && run.attempt() == 1 ? 1 : 0;
        }
        // The end of an ordered claim that ran out is as if nobody had had it.
        boolean anew = isOrdered && fate != Hand.Fate.FAILED;
        if (retried || anew || one.forgettable) {
            least = 1;
        }
        most += hidden(other, at, one.begin);
        String words = "came at attempt " + run.attempt() + " after attempt " + before;
        tell(
                run.attempt() >= least && run.attempt() <= most,
                words + ", which ended as " + fate,
                other,
                at);
    }

    /** How many claims there may have been since a time whose answers came later, or never. */
    private int hidden(Hand hand, long at, long since) {
        int late = 0;
        for (Hand other : history.of(stage)) {
            boolean later = other.end > hand.end && other.begin < hand.end;
            late += later && other.holds(hand.lane, at) ? 1 : 0;
        }
        return late + history.hidden(stage, since, hand.end);
    }

    private static String id(Hand hand, long at) {
        return hand.lane + "-" + at;
    }

    private void tell(boolean holds, String words, Hand hand, long at) {
        if (!holds) {
            String what = "stage '" + stage + "', message " + hand.lane + "-" + at + " " + words;
            finding.tell(3, what, stage, hand.lane, at);
        }
    }
}
