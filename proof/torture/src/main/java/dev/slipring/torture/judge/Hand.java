// SPDX-License-Identifier: Apache-2.0
package dev.slipring.torture.judge;

import dev.slipring.torture.Course;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** A claim, as its worker saw it: asked for at {@code begin}, answered at {@code end}. */
final class Hand {

    /** How much the store's clock may differ from that of the journals, in microseconds. */
    static final long MARGIN = 30_000;

    private static final long LEASE = Course.LEASE.toNanos() / 1_000;

    final String who;
    final String stage;
    final int lane;
    final long begin;
    final long end;
    final List<Run> runs;
    final List<Word> words = new ArrayList<>(2);

    /** Whether the server may have forgotten this claim. */
    boolean forgettable;

    Hand(String who, String stage, int lane, long begin, long end, List<Run> runs) {
        this.who = who;
        this.stage = stage;
        this.lane = lane;
        this.begin = begin;
        this.end = end;
        this.runs = runs;
    }

    /** What became of a message in a hand. */
    enum Fate {
        /** Its worker was told that it is done. */
        DONE,
        /** It may be done: no process lived to get the answer. */
        MAYBE,
        /** Its worker was told that its failure is noted. */
        FAILED,
        /** It went back untouched. */
        BACK,
        /** No word on it took effect. */
        NONE
    }

    private boolean isOrdered() {
        return Course.ORDERED.contains(stage);
    }

    /** The word that decides about a message; null if there is none. */
    Word decisive(long position) {
        for (Word word : words) {
            boolean ends = isOrdered() && word.kind.startsWith("fail");
            boolean about = word.isAbout(position) || ends;
            if (about && word.mayCount() && !word.kind.equals("extend")) {
                return word;
            }
        }
        return null;
    }

    Fate fate(long position) {
        Word word = decisive(position);
        if (word == null) {
            return Fate.NONE;
        }
        if (word.outcome == Word.Outcome.UNKNOWN) {
            return Fate.MAYBE;
        }
        if (word.isDone()) {
            return Fate.DONE;
        }
        return word.kind.equals("back") || !word.isAbout(position) ? Fate.BACK : Fate.FAILED;
    }

    /** Until when a message is surely in this hand, if the stage is not rewound. */
    long surelyUntil(long position) {
        if (forgettable) {
            return begin;
        }
        long until = begin + LEASE - MARGIN;
        for (Word word : words) {
            if (word.kind.equals("extend")) {
                until =
                        word.outcome == Word.Outcome.OK
                                ? Math.max(until, word.begin + LEASE - MARGIN)
                                : until;
            } else if (!word.hadNoEffect()
                    && (word.isAbout(position) || isOrdered() && word.kind.startsWith("fail"))) {
                return Math.min(until, word.begin);
            }
        }
        return until;
    }

    /**
     * When the lease has surely run out, counting only the words before {@code before}; null to
     * count all.
     */
    long surelyOver(Word before) {
        long over = end + LEASE + MARGIN;
        for (Word word : words) {
            if (word == before) {
                break;
            }
            if (word.kind.equals("extend") && word.outcome == Word.Outcome.UNKNOWN) {
                return Long.MAX_VALUE;
            }
            if (word.kind.equals("extend") && word.outcome == Word.Outcome.OK) {
                over = word.end + LEASE + MARGIN;
            }
        }
        return over;
    }

    /** When a message that was not done is surely to be handed out again. */
    long dueAgain(long position) {
        Word word = decisive(position);
        return switch (fate(position)) {
            case NONE -> Math.max(surelyOver(null), silent());
            case FAILED -> word.end + TimeUnit.MILLISECONDS.toMicros(word.retryMillis) + MARGIN;
            default -> Long.MAX_VALUE;
        };
    }

    /**
     * From when on no word about this claim is open, as an open word holds up the handing on. A
     * word whose answer never came may be open until the server learns that its connection is gone.
     */
    private long silent() {
        return words.stream()
                .mapToLong(word -> word.mayBeOpen() ? Long.MAX_VALUE : word.end)
                .max()
                .orElse(0);
    }

    /**
     * Whether a message may have become dead by a time, in claims whose answers were lost and each
     * of which held it for a lease.
     */
    boolean mayBeDead(Run run, long time) {
        return time - begin >= (Course.TRIES - run.attempt()) * (LEASE - MARGIN);
    }

    /** Whether the answer came so late that the lease may have run out before. */
    boolean isLate() {
        return end - begin > LEASE / 2;
    }

    Run run(long position) {
        for (Run run : runs) {
            if (run.holds(position)) {
                return run;
            }
        }
        return null;
    }

    boolean holds(int inLane, long position) {
        return lane == inLane && run(position) != null;
    }
}
