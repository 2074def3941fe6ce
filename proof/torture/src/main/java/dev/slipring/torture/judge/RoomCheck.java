// SPDX-License-Identifier: Apache-2.0
package dev.slipring.torture.judge;

import dev.slipring.torture.Course;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Promise 6, the other way round: no push is refused for want of room while there surely is room.
 * What all stages were done with when the push began is surely released, except for a slot of which
 * that is true in part. What no push had begun to bring when it ended is surely not there yet.
 */
final class RoomCheck {

    private final History history;
    private final Finding finding;

    /** For each lane from when on each position and all before it are done everywhere. */
    private final List<long[]> released = new ArrayList<>();

    RoomCheck(History history, Places places, Finding finding) {
        this.history = history;
        this.finding = finding;
        places.held().all().forEach((lane, column) -> released.add(released(lane, column.size())));
    }

    private long[] released(int lane, int size) {
        long[] latest = new long[size];
        for (String stage : Course.STAGES) {
            long[] done = new long[size];
            Arrays.fill(done, Long.MAX_VALUE);
            for (Hand hand : history.of(stage)) {
                for (Run run : hand.lane == lane ? hand.runs : List.<Run>of()) {
                    for (long at = run.position(); at < run.end(); at++) {
                        if (hand.fate(at) == Hand.Fate.DONE) {
                            // The last, as a stage that was rewound does it again.
                            done[(int) at] = hand.decisive(at).end;
                        }
                    }
                }
            }
            for (int at = 0; at < size; at++) {
                latest[at] = Math.max(latest[at], done[at]);
            }
        }
        for (int at = 1; at < size; at++) {
            latest[at] = Math.max(latest[at], latest[at - 1]);
        }
        return latest;
    }

    void check() {
        if (history.room != null) {
            history.pushes.stream().filter(Push::isFull).forEach(this::check);
        }
    }

    private void check(Push push) {
        long brought = 0;
        for (Push other : history.pushes) {
            brought += other.begin < push.end && !other.isNot() ? other.count : 0;
        }
        long gone = released.stream().mapToLong(lane -> before(lane, push.begin)).sum();
        History.Room room = history.room;
        long most = brought - gone + room.slot() * (room.lanes() + 1L);
        if (most <= room.messages() && !history.isVisited(push.begin, push.end)) {
            String words = "a push of " + push.count + " was refused for want of room, and ";
            finding.tell(6, words + (brought - gone) + " messages at most were there", push);
        }
    }

    /** How many positions were released by a time. */
    private static long before(long[] lane, long time) {
        int low = 0;
        int high = lane.length;
        while (low < high) {
            int middle = (low + high) >>> 1;
            if (lane[middle] <= time) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        return low;
    }
}
