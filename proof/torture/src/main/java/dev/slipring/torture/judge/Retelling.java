// SPDX-License-Identifier: Apache-2.0
package dev.slipring.torture.judge;

import dev.slipring.torture.Course;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;

/** All that the processes did with a message, in the order of time. */
final class Retelling {

    private static final long AROUND = TimeUnit.SECONDS.toMicros(20);

    private final History history;

    Retelling(History history) {
        this.history = history;
    }

    /** One line of the story. */
    private record Line(long at, String words) {}

    /**
     * How messages of a lane were pushed, and claimed and reported in a stage and those before it.
     */
    List<String> of(String stage, int lane, long[] positions, Places places) {
        List<Line> lines = new ArrayList<>();
        Set<String> stages = new TreeSet<>(stage == null ? List.of() : List.of(stage));
        stages.addAll(stage == null ? Set.of() : Course.ANCESTORS.get(stage));
        for (long position : positions) {
            pushes(lines, places.producer(lane, position), places.number(lane, position));
            for (String one : stages) {
                history.of(one).stream()
                        .filter(hand -> hand.holds(lane, position))
                        .forEach(hand -> add(lines, hand, position));
            }
        }
        long begin = lines.stream().mapToLong(Line::at).min().orElse(0);
        for (Order order : history.orders) {
            if (stages.contains(order.stage) && order.end >= begin) {
                String came = order.ok ? "done" + at(order.end) : "unknown";
                lines.add(new Line(order.begin, order.kind + " " + order.stage + ": " + came));
            }
        }
        return inOrder(lines);
    }

    /** A push and its neighbours of the same producer. */
    List<String> of(Push push) {
        List<Line> lines = new ArrayList<>();
        for (int number : new int[] {push.number - 1, push.number, push.number + push.count}) {
            pushes(lines, push.producer, number);
        }
        servers(lines, push.begin, push.end);
        return inOrder(lines);
    }

    /**
     * What happened to the server in a span of time, and the first words that were taken after it.
     */
    List<String> of(long from, long to) {
        List<Line> lines = new ArrayList<>();
        servers(lines, from, to);
        lines.add(new Line(to, "a message is done, or nothing was until then"));
        return inOrder(lines);
    }

    private void servers(List<Line> lines, long from, long to) {
        long last = Math.min(to, from + AROUND);
        history.downs.stream()
                .filter(at -> at >= from - AROUND && at <= last)
                .forEach(at -> lines.add(new Line(at, "the server goes down")));
        history.ups.stream()
                .filter(at -> at >= from - AROUND && at <= last)
                .forEach(at -> lines.add(new Line(at, "the server is back")));
    }

    private void pushes(List<Line> lines, int producer, int number) {
        for (Push push : history.pushes) {
            boolean holds = number >= push.number && number < push.number + push.count;
            if (push.producer == producer && holds) {
                int last = push.number + push.count - 1;
                String what = "producer-" + producer + " pushes " + push.number + " to " + last;
                String came = " (" + push.how + "): " + push.outcome + at(push.end);
                lines.add(new Line(push.begin, what + came));
            }
        }
    }

    private List<String> inOrder(List<Line> lines) {
        return lines.stream()
                .distinct()
                .sorted(Comparator.comparingLong(Line::at))
                .map(line -> time(line.at()) + " " + line.words())
                .toList();
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
