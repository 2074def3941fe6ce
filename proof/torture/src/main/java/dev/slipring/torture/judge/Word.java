// SPDX-License-Identifier: Apache-2.0
package dev.slipring.torture.judge;

/** A worker's word on a claim, as he gave it and as it was answered. */
final class Word {

    /** What came of it. */
    enum Outcome {
        /** It was taken. */
        OK,
        /** It was refused as late. */
        FENCED,
        /** The transaction that it was in was rolled back. */
        ROLLEDBACK,
        /** The connection broke before the commit; the server may not know of the end yet. */
        CUT,
        /** Nobody lived to hear it, or the answer was an error. */
        UNKNOWN
    }

    final long begin;
    final String kind;

    /** The first message that it is about; below zero for all that are left. */
    private final long position;

    /** About how many in a row. */
    private final long count;

    final long retryMillis;
    long end = Long.MAX_VALUE;
    Outcome outcome = Outcome.UNKNOWN;

    /**
     * A word that is just being said.
     *
     * @param which {@code -1} for all that are left, a position, or {@code position+count}
     */
    Word(long begin, String kind, String which, long retryMillis) {
        String[] part = which.split("\\+");
        this.begin = begin;
        this.kind = kind;
        this.position = Long.parseLong(part[0]);
        this.count = part.length > 1 ? Long.parseLong(part[1]) : 1;
        this.retryMillis = retryMillis;
    }

    /** Whether no answer to it has come. */
    boolean isOpen() {
        return end == Long.MAX_VALUE;
    }

    /** Whether it says that messages are done. */
    boolean isDone() {
        return kind.equals("done") || kind.equals("joined");
    }

    /** Whether its commit is not waited for where a server forgets: all but failures and joins. */
    boolean isForgettable() {
        return outcome == Outcome.OK && !kind.equals("joined") && !kind.startsWith("fail");
    }

    /** Whether it took effect, or may have. */
    boolean mayCount() {
        return outcome == Outcome.OK || outcome == Outcome.UNKNOWN;
    }

    /** Whether its transaction was surely not committed. */
    boolean hadNoEffect() {
        return outcome == Outcome.ROLLEDBACK || outcome == Outcome.CUT;
    }

    /** Whether the server may still have its transaction open, whatever its worker did since. */
    boolean mayBeOpen() {
        return outcome == Outcome.UNKNOWN || outcome == Outcome.CUT;
    }

    /** Whether it speaks of a message in one way or the other. */
    boolean isAbout(long at) {
        return position < 0 || at >= position && at < position + count;
    }

    @Override
    public String toString() {
        return kind
                + (position < 0
                        ? ""
                        : " of " + position + (count > 1 ? " and " + (count - 1) + " more" : ""))
                + ": "
                + outcome;
    }
}
