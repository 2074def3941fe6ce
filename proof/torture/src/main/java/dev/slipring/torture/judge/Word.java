// SPDX-License-Identifier: Apache-2.0
package dev.slipring.torture.judge;

/** A worker's word on a claim: what it said, and the answer. */
final class Word {

    /** The outcome of a word. */
    enum Outcome {
        /** It was taken. */
        OK,
        /** It was refused as late. */
        FENCED,
        /** The transaction that it was in was rolled back. */
        ROLLEDBACK,
        /**
         * The connection broke before the commit; the server may not know yet that the transaction
         * has ended.
         */
        CUT,
        /** No process lived to get the answer, or the answer was an error. */
        UNKNOWN
    }

    final long begin;
    final String kind;

    /** The first message that it is about; below zero for all that are left. */
    private final long position;

    /** How many messages in a row it is about. */
    private final long count;

    final long retryMillis;
    long end = Long.MAX_VALUE;
    Outcome outcome = Outcome.UNKNOWN;

    /**
     * A word that has just been begun.
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

    /** Whether it has no answer yet. */
    boolean isOpen() {
        return end == Long.MAX_VALUE;
    }

    /** Whether it says that messages are done. */
    boolean isDone() {
        return kind.equals("done") || kind.equals("joined");
    }

    /**
     * Whether a server that forgets may forget it, as its commit does not wait for the disk: so all
     * but failures and words in callers' transactions.
     */
    boolean isForgettable() {
        return outcome == Outcome.OK && !kind.equals("joined") && !kind.startsWith("fail");
    }

    /** Whether it took effect, or may have. */
    boolean mayCount() {
        return outcome == Outcome.OK || outcome == Outcome.UNKNOWN;
    }

    /** Whether it surely took no effect. */
    boolean hadNoEffect() {
        return outcome == Outcome.ROLLEDBACK || outcome == Outcome.CUT;
    }

    /**
     * Whether the server may still have its transaction open, whatever its worker has done since.
     */
    boolean mayBeOpen() {
        return outcome == Outcome.UNKNOWN || outcome == Outcome.CUT;
    }

    /** Whether it is about a message, by itself or as one of the rest. */
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
