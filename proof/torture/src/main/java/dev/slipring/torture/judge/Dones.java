// SPDX-License-Identifier: Apache-2.0
package dev.slipring.torture.judge;

/** The earliest time at which each message of a stage may have been done. */
final class Dones {

    /** Times are kept in steps of this many microseconds, rounded down. */
    private static final int STEP = 100;

    private final String stage;
    private final long begin;
    private final Columns times = new Columns();

    Dones(History history, String stage) {
        this.stage = stage;
        this.begin = history.begin();
        for (Hand hand : history.of(stage)) {
            Column column = times.of(hand.lane);
            for (Run run : hand.runs) {
                for (long at = run.position(); at < run.end(); at++) {
                    Hand.Fate fate = hand.fate(at);
                    Word word = hand.decisive(at);
                    boolean may = fate == Hand.Fate.DONE || fate == Hand.Fate.MAYBE;
                    if (may && word.isDone()) {
                        int time = Math.toIntExact((word.begin - begin) / STEP);
                        int known = column.get(at);
                        column.set(at, known < 0 ? time : Math.min(known, time));
                    }
                }
            }
        }
    }

    String stage() {
        return stage;
    }

    boolean isDone(int lane, long position) {
        return times.of(lane).get(position) >= 0;
    }

    /** Whether no worker can have reported a message as done by this time. */
    boolean isNotYet(int lane, long position, long time) {
        int known = times.of(lane).get(position);
        return known < 0 || begin + (long) known * STEP > time;
    }
}
