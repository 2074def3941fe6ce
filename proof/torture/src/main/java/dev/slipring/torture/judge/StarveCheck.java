// SPDX-License-Identifier: Apache-2.0
package dev.slipring.torture.judge;

import dev.slipring.torture.Course;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.NavigableSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;

/**
 * Promise 3 of a stage while it runs: no newer message of a lane came while one of the lane was due
 * again. And a message that was due again did not wait for long while, of all lanes, only new
 * messages came. The second does not hold for an ordered stage, where a message may have to wait
 * for another one of its lane.
 */
final class StarveCheck {

    /** The longest that a claim takes, unless its process was stopped; in microseconds. */
    private static final long LONGEST = TimeUnit.SECONDS.toMicros(5);

    /**
     * For how long, in microseconds, nothing may come again in any lane although something is due,
     * while other lanes give new messages. The lane in question may be locked by others, whom a
     * fault holds up.
     */
    private static final long FORGOTTEN = TimeUnit.SECONDS.toMicros(10);

    private static final Comparator<Hand> BY_END =
            Comparator.<Hand>comparingLong(hand -> hand.end)
                    .thenComparingLong(hand -> hand.begin)
                    .thenComparing(hand -> hand.who);

    private final String stage;
    private final Finding finding;
    private final Again above;
    private final List<Waited> waited = new ArrayList<>();
    private final List<Hand> fresh = new ArrayList<>();

    /** The highest position that each lane had reached at the end of each claim. */
    private final Map<Integer, TreeMap<Long, Long>> reached = new HashMap<>();

    /** The claims of each lane, by when they were answered. */
    private final Map<Integer, NavigableSet<Hand>> byEnd = new HashMap<>();

    /** When claims with messages that were not new were answered, in any lane. */
    private final TreeSet<Long> again = new TreeSet<>();

    private long longest;
    private String longestOf = "";

    /** A message that was surely due from a time on, and the claim in which it came. */
    private record Waited(long due, Hand hand, long position) {}

    StarveCheck(String stage, Finding finding, Again above) {
        this.stage = stage;
        this.finding = finding;
        this.above = above;
    }

    /** Notes that a message, surely due from a time on, came in this claim. */
    void waited(long due, Hand hand, long position) {
        waited.add(new Waited(due, hand, position));
        if (hand.begin - due > longest) {
            longest = hand.begin - due;
            longestOf = stage + " " + hand.lane + "-" + position;
        }
    }

    /** How long a message that was due again waited at most, in milliseconds. */
    long longest() {
        return longest / 1_000;
    }

    /** The message that waited longest. */
    String longestOf() {
        return longestOf;
    }

    /**
     * Takes a claim; they come in the order of their times. A message that was in no claim before
     * is new.
     */
    void add(Hand hand, boolean isNew) {
        reach(hand);
        byEnd.computeIfAbsent(hand.lane, lane -> new TreeSet<>(BY_END)).add(hand);
        if (isNew && isFurthest(hand)) {
            fresh.add(hand);
        } else {
            again.add(hand.end);
        }
    }

    void check() {
        fresh.sort(Comparator.comparingLong(hand -> hand.begin));
        for (Waited wait : waited) {
            Hand came = wait.hand();
            for (int i = firstAfter(wait.due()); i < fresh.size(); i++) {
                Hand newer = fresh.get(i);
                if (newer.begin > came.begin) {
                    break;
                }
                if (newer.end < came.begin && isBefore(newer, wait)) {
                    String words =
                            String.format(
                                    Locale.ROOT,
                                    "stage '%s', message %d-%d was due, and newer ones came first",
                                    stage,
                                    came.lane,
                                    wait.position());
                    long other = newer.runs.get(0).position();
                    finding.tell(3, words, stage, came.lane, wait.position(), other);
                    break;
                }
            }
        }
    }

    private boolean isBefore(Hand newer, Waited wait) {
        return newer.lane == wait.hand().lane
                ? isAlone(newer)
                : !Course.ORDERED.contains(stage) && isForgotten(wait, newer);
    }

    /** Whether for long before this newer claim nothing had come again, in any lane. */
    private boolean isForgotten(Waited wait, Hand newer) {
        long since = newer.begin - FORGOTTEN;
        if (wait.due() > since) {
            return false;
        }
        Long before = again.lower(newer.begin);
        return before == null || before < since;
    }

    /**
     * Whether no other worker claimed in the lane meanwhile: of two that claim at the same time,
     * either may get the old messages, and the other the new ones.
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

    /**
     * Whether a claim surely has new messages, and none that reached the stage late: no earlier
     * claim came as far.
     */
    private boolean isFurthest(Hand hand) {
        for (Run run : hand.runs) {
            for (long at = run.position(); at < run.end(); at++) {
                if (above.wasRetried(hand.lane, at)) {
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
