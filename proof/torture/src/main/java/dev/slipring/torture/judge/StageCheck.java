// SPDX-License-Identifier: Apache-2.0
package dev.slipring.torture.judge;

import dev.slipring.torture.Course;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;

/** Promises 2, 3 and 7 of a stage: one claim, what ran out comes first, and the fence. */
final class StageCheck {

    /** No claim takes longer, unless its process was stopped. */
    private static final long LONGEST = TimeUnit.SECONDS.toMicros(5);

    /**
     * So long nothing of a lane may come again though something is due there, while other lanes
     * have their turn: it may be in other hands, which a fault holds up.
     */
    private static final long FORGOTTEN = TimeUnit.SECONDS.toMicros(10);

    private static final Comparator<Hand> BY_END =
            Comparator.<Hand>comparingLong(hand -> hand.end)
                    .thenComparingLong(hand -> hand.begin)
                    .thenComparing(hand -> hand.who);

    private final History history;
    private final String stage;
    private final Finding finding;
    private final List<Hand> hands;
    private final Columns last = new Columns();
    private final List<Waited> waited = new ArrayList<>();
    private final List<Hand> fresh = new ArrayList<>();

    /** For each lane and the end of each hand the highest position that was reached by then. */
    private final Map<Integer, TreeMap<Long, Long>> reached = new HashMap<>();

    /** The hands of each lane by when they were heard of. */
    private final Map<Integer, NavigableSet<Hand>> byEnd = new HashMap<>();

    private final Again again;

    private long redeliveries;
    private long longestWait;
    private String longestWaitOf = "";

    /** A message that was surely due from a time on, and came at another. */
    private record Waited(long due, long came, int lane, long position) {}

    StageCheck(History history, String stage, Finding finding) {
        this.history = history;
        this.stage = stage;
        this.finding = finding;
        this.hands = history.of(stage);
        this.again = new Again(history, stage);
    }

    long redeliveries() {
        return redeliveries;
    }

    /** The longest that a message that was due again waited, in milliseconds. */
    long longestWait() {
        return longestWait / 1_000;
    }

    /** Which message waited longest. */
    String longestWaitOf() {
        return longestWaitOf;
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
            reach(hand);
            byEnd.computeIfAbsent(hand.lane, lane -> new TreeSet<>(BY_END)).add(hand);
            if (isFresh && isFurthest(hand)) {
                fresh.add(hand);
            }
            words(hand);
            paused(hand);
        }
        starved();
    }

    private void tell(boolean holds, int promise, String words, Hand hand, long... at) {
        if (!holds) {
            String what = "stage '" + stage + "', message " + hand.lane + "-" + at[0] + " " + words;
            finding.tell(promise, what, stage, hand.lane, at);
        }
    }

    /** A message was in one hand and came into another. */
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
                    // What he says of the rest is no longer about this one.
                    break;
                }
            }
        }
        boolean next = run.attempt() == one.run(at).attempt() + 1;
        long due = one.dueAgain(at);
        if (next && other.begin > due) {
            waited.add(new Waited(due, other.begin, other.lane, at));
            if (other.begin - due > longestWait) {
                longestWait = other.begin - due;
                longestWaitOf = stage + " " + other.lane + "-" + at;
            }
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

    /**
     * Nothing new of its lane came while something was due again; and its lane was not forgotten
     * over what is new in others, but for an ordered stage, where it may wait for another of its
     * lane.
     */
    private void starved() {
        fresh.sort(Comparator.comparingLong(hand -> hand.begin));
        for (Waited wait : waited) {
            for (int i = firstAfter(wait.due()); i < fresh.size(); i++) {
                Hand newer = fresh.get(i);
                if (newer.begin > wait.came()) {
                    break;
                }
                boolean passed =
                        newer.lane == wait.lane()
                                ? isAlone(newer)
                                : !Course.ORDERED.contains(stage) && isForgotten(wait, newer);
                if (passed && newer.end < wait.came()) {
                    Hand hand = hands.get(last.of(wait.lane()).get(wait.position()));
                    String words = "was due, and newer ones came first";
                    long other = newer.runs.get(0).position();
                    tell(false, 3, words, hand, wait.position(), other);
                    break;
                }
            }
        }
    }

    /** Whether nothing came in a lane for long before something new came in another. */
    private boolean isForgotten(Waited wait, Hand newer) {
        long since = newer.begin - FORGOTTEN;
        if (wait.due() > since) {
            return false;
        }
        Long before = reached.get(wait.lane()).lowerKey(newer.begin);
        return before == null || before < since;
    }

    /**
     * Whether nobody else claimed in the lane meanwhile: two who claim at one time may get the old
     * and the new in either order.
     */
    private boolean isAlone(Hand hand) {
        NavigableSet<Hand> claims = byEnd.get(hand.lane).tailSet(hand, false);
        for (Hand other : claims) {
            if (other.begin < hand.end) {
                return false;
            }
            if (other.end > hand.end + LONGEST) {
                break;
            }
        }
        Hand before = byEnd.get(hand.lane).lower(hand);
        return before == null || before.end < hand.begin;
    }

    /** Whether a hand surely has new messages, and none that arrived late: it is the furthest. */
    private boolean isFurthest(Hand hand) {
        for (Run run : hand.runs) {
            for (long at = run.position(); at < run.end(); at++) {
                if (again.wasRetried(hand.lane, at)) {
                    return false;
                }
            }
        }
        long furthest = -1;
        TreeMap<Long, Long> ends = reached.get(hand.lane);
        if (ends != null && ends.lowerEntry(hand.begin) != null) {
            furthest = ends.lowerEntry(hand.begin).getValue();
        }
        return hand.runs.get(0).position() > furthest;
    }

    private void reach(Hand hand) {
        TreeMap<Long, Long> ends = reached.computeIfAbsent(hand.lane, lane -> new TreeMap<>());
        long known = ends.isEmpty() ? -1 : ends.lastEntry().getValue();
        long end = hand.runs.get(hand.runs.size() - 1).end() - 1;
        ends.put(hand.end, Math.max(known, end));
    }

    private int firstAfter(long time) {
        int low = 0;
        int high = fresh.size();
        while (low < high) {
            int middle = (low + high) >>> 1;
            if (fresh.get(middle).begin > time) {
                high = middle;
            } else {
                low = middle + 1;
            }
        }
        return low;
    }
}
