// SPDX-License-Identifier: Apache-2.0
package dev.slipring.torture.judge;

import dev.slipring.torture.Course;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;

/** What all processes had to do with one message, in the order of time. */
final class Retelling {

    private final History history;

    Retelling(History history) {
        this.history = history;
    }

    /** A line of it. */
    private record Line(long at, String words) {}

    List<String> of(String stage, int lane, long position, Places places) {
        List<Line> lines = new ArrayList<>();
        Set<String> stages = new TreeSet<>(stage == null ? List.of() : List.of(stage));
        stages.addAll(stage == null ? Set.of() : Course.ANCESTORS.get(stage));
        for (Push push : history.pushes) {
            int number = places.number(lane, position);
            boolean his = push.producer == places.producer(lane, position);
            if (his && number >= push.number && number < push.number + push.count) {
                lines.add(
                        new Line(
                                push.begin,
                                "producer-"
                                        + push.producer
                                        + " pushes "
                                        + push.number
                                        + " to "
                                        + (push.number + push.count - 1)
                                        + " ("
                                        + push.how
                                        + "): "
                                        + push.outcome
                                        + at(push.end)));
            }
        }
        for (String one : stages) {
            history.of(one).stream()
                    .filter(hand -> hand.holds(lane, position))
                    .forEach(hand -> add(lines, hand, position));
        }
        long begin = lines.stream().mapToLong(Line::at).min().orElse(0);
        for (Order order : history.orders) {
            if (stages.contains(order.stage) && order.end >= begin) {
                String came = order.ok ? "done" + at(order.end) : "unknown";
                lines.add(new Line(order.begin, order.kind + " " + order.stage + ": " + came));
            }
        }
        lines.sort(Comparator.comparingLong(Line::at));
        return lines.stream().map(line -> time(line.at()) + " " + line.words()).toList();
    }

    private void add(List<Line> lines, Hand hand, long position) {
        Run run = hand.run(position);
        lines.add(
                new Line(
                        hand.begin,
                        hand.who
                                + " claims of "
                                + hand.stage
                                + " "
                                + hand.runs.get(0).position()
                                + " to "
                                + (hand.runs.get(hand.runs.size() - 1).end() - 1)
                                + ", attempt "
                                + run.attempt()
                                + at(hand.end)));
        for (Word word : hand.words) {
            if (word.isAbout(position) || Course.ORDERED.contains(hand.stage)) {
                String end = word.end == Long.MAX_VALUE ? "" : at(word.end);
                lines.add(new Line(word.begin, hand.who + " says " + word + end));
            }
        }
    }

    private String at(long time) {
        return time == Long.MAX_VALUE ? "" : " (by" + time(time) + ")";
    }

    private String time(long at) {
        return String.format(Locale.ROOT, "%10.3f s", (at - history.begin()) / 1e6);
    }
}
