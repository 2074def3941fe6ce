// SPDX-License-Identifier: Apache-2.0
package dev.slipring.torture.judge;

import dev.slipring.torture.Course;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Promises 1, 4, 8 and 9 of pushes: what was acknowledged is there, what was refused is not, what
 * was pushed together is there together, and a lane has the order of the commits.
 */
final class PushCheck {

    private final History history;
    private final Places places;
    private final Finding finding;
    private long lost;

    PushCheck(History history, Places places, Finding finding) {
        this.history = history;
        this.places = places;
        this.finding = finding;
    }

    void check() {
        history.pushes.forEach(this::there);
        orderOfProducers();
        orderOfCommits();
        lanesOfKeys();
    }

    /** How many acknowledged messages no stage ever saw. */
    long lost() {
        return lost;
    }

    private void there(Push push) {
        int found = 0;
        for (int i = 0; i < push.count; i++) {
            found += places.position(push.producer, push.number + i) >= 0 ? 1 : 0;
        }
        String what =
                "of the "
                        + push.count
                        + " messages from "
                        + push.producer
                        + "/"
                        + push.number
                        + ", whose push ("
                        + push.how
                        + ") ended as '"
                        + push.outcome
                        + "', "
                        + found
                        + " are there";
        if (push.isOk() && found < push.count) {
            lost += push.count - found;
            finding.tell(1, what, push);
        } else if (push.isNot() && found > 0) {
            finding.tell(push.outcome.equals("rolledback") ? 9 : 8, what, push);
        } else if (push.isWhole() && found > 0 && found < push.count) {
            finding.tell(8, what, push);
        }
    }

    private void orderOfProducers() {
        Map<Integer, Map<Integer, Long>> last = new HashMap<>();
        for (Push push : history.pushes) {
            Map<Integer, Long> lanes =
                    last.computeIfAbsent(push.producer, producer -> new HashMap<>());
            for (int i = 0; i < push.count; i++) {
                long position = places.position(push.producer, push.number + i);
                if (position >= 0) {
                    int lane = places.lane(push.producer, push.number + i);
                    Long before = lanes.put(lane, position);
                    if (before != null && before > position) {
                        finding.tell(
                                4,
                                "message "
                                        + push.producer
                                        + "/"
                                        + (push.number + i)
                                        + " stands before one that he pushed earlier, at "
                                        + lane
                                        + "-"
                                        + before,
                                null,
                                lane,
                                position,
                                before);
                    }
                }
            }
        }
    }

    /** A push that was acknowledged before another one began stands in front of it. */
    private void orderOfCommits() {
        List<Push> byBegin = new ArrayList<>(history.pushes);
        byBegin.sort(Comparator.comparingLong(push -> push.begin));
        List<Push> byEnd = new ArrayList<>(history.pushes.stream().filter(Push::isOk).toList());
        byEnd.sort(Comparator.comparingLong(push -> push.end));
        Map<Integer, Long> highest = new HashMap<>();
        int next = 0;
        for (Push push : byBegin) {
            for (; next < byEnd.size() && byEnd.get(next).end < push.begin; next++) {
                Push ended = byEnd.get(next);
                each(ended, (lane, position) -> highest.merge(lane, position, Math::max));
            }
            each(
                    push,
                    (lane, position) -> {
                        if (highest.getOrDefault(lane, -1L) > position) {
                            finding.tell(
                                    4,
                                    "a message stands in front of one, at "
                                            + lane
                                            + "-"
                                            + highest.get(lane)
                                            + ", whose push ended before its own began",
                                    null,
                                    lane,
                                    position,
                                    highest.get(lane));
                        }
                    });
        }
    }

    /** All messages with one key stand in one lane, whichever producer pushed them. */
    private void lanesOfKeys() {
        Map<String, Integer> lanes = new HashMap<>();
        for (Push push : history.pushes) {
            for (int number = push.number; number < push.number + push.count; number++) {
                String key = Course.key(number);
                long position = places.position(push.producer, number);
                if (key != null && position >= 0) {
                    int lane = places.lane(push.producer, number);
                    Integer other = lanes.putIfAbsent(key, lane);
                    if (other != null && other != lane) {
                        String words = "a message with the key " + key + " stands in lane " + lane;
                        finding.tell(4, words + ", another in lane " + other, null, lane, position);
                    }
                }
            }
        }
    }

    private interface Place {
        void at(int lane, long position);
    }

    private void each(Push push, Place place) {
        for (int i = 0; i < push.count; i++) {
            long position = places.position(push.producer, push.number + i);
            if (position >= 0) {
                place.at(places.lane(push.producer, push.number + i), position);
            }
        }
    }
}
