// SPDX-License-Identifier: Apache-2.0
package dev.slipring.torture.judge;

import dev.slipring.torture.Course;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** All that the journals of all processes say. */
public final class History {

    final List<Push> pushes = new ArrayList<>();
    final Map<String, List<Hand>> hands = new TreeMap<>();
    final List<Order> orders = new ArrayList<>();
    final List<String> odd = new ArrayList<>();

    /** What processes were told of messages that cannot be read. */
    final List<String> unreadable = new ArrayList<>();

    final Map<String, Integer> counts = new TreeMap<>();
    final List<Long> doneTimes = new ArrayList<>();

    /** When dones that were taken had been begun. */
    final List<Long> spokenTimes = new ArrayList<>();

    /** When the server took connections again after it had been killed. */
    final List<Long> ups = new ArrayList<>();

    /** When the server was killed. */
    final List<Long> downs = new ArrayList<>();

    /** The times in which processes of workers surely had the store open. */
    final List<Life> lives = new ArrayList<>();

    /** How many messages were ever pushed, as the ring said at the end; -1 if it was not asked. */
    long pushed = -1;

    /** Whether a server that was killed may have forgotten its last answers. */
    boolean forgets;

    /** What workers asked for and got no answer to. */
    final Map<String, Ask> asks = new HashMap<>();

    /** Dead letters, as they were shown. */
    final List<Letter> letters = new ArrayList<>();

    /** What each stage counted until the end. */
    final Map<String, Tally> tallies = new HashMap<>();

    /** The room that the ring has; null if its messages are not what fills it. */
    Room room;

    /** Pushes by their producers and the numbers of their first messages. */
    private Map<Integer, TreeMap<Integer, Push>> byProducer;

    /** A process's time, from the first line of its journal to the last. */
    record Life(long begin, long end) {}

    /**
     * The room of a ring.
     *
     * @param messages how many messages it holds
     * @param lanes how many lanes it has
     * @param slot how many messages a slot has at most
     */
    record Room(int messages, int lanes, int slot) {}

    /** Reads a folder of journals. */
    public static History read(Path folder) throws IOException {
        return new HistoryReader().read(folder);
    }

    /** How often each kind of trouble was made or met. */
    public Map<String, Integer> counts() {
        return counts;
    }

    List<Hand> of(String stage) {
        return hands.getOrDefault(stage, List.of());
    }

    /** Whether a stage was, or may have been, reset in this span of time. */
    boolean isReset(String stage, long from, long to) {
        for (Order order : orders) {
            if (order.isReset() && order.stage.equals(stage) && order.overlaps(from, to)) {
                return true;
            }
        }
        return false;
    }

    /** Whether a dead letter was, or may have been, handed out again in this span of time. */
    boolean isRetried(String stage, String id, long from, long to) {
        for (Order order : orders) {
            boolean about = order.ids.isEmpty() || order.ids.contains(id);
            if (order.kind.equals("retry") && order.stage.equals(stage) && about) {
                if (order.overlaps(from, to)) {
                    return true;
                }
            }
        }
        return false;
    }

    /** Whether a dead letter of this stage, or of one that it follows, was or may be dropped. */
    boolean isDropped(String stage, String id) {
        for (Order order : orders) {
            boolean above =
                    order.stage.equals(stage) || Course.ANCESTORS.get(stage).contains(order.stage);
            if (order.kind.equals("drop") && above && order.ids.contains(id)) {
                return true;
            }
        }
        return false;
    }

    /** Whether the visiting stage may have been there at some time of this span. */
    boolean isVisited(long from, long to) {
        long since = Long.MAX_VALUE;
        for (Order order : orders) {
            if (order.kind.equals("add")) {
                since = Math.min(since, order.begin);
            } else if (order.kind.equals("remove") && order.ok) {
                if (since <= to && order.end >= from) {
                    return true;
                }
                since = Long.MAX_VALUE;
            }
        }
        return since <= to;
    }

    /** How many claims of which no journal tells may have run out in this span of time. */
    int hidden(String stage, long from, long to) {
        return (int)
                asks.values().stream()
                        .filter(ask -> ask.stage().equals(stage) && ask.mayHaveRunOut(from, to))
                        .count();
    }

    /** How many messages are in all claims of which no journal tells, at most. */
    long blind(String stage) {
        return asks.values().stream()
                .filter(ask -> ask.stage().equals(stage))
                .mapToLong(Ask::max)
                .sum();
    }

    /** Whether a server may have forgotten something. */
    boolean mayForget() {
        return forgets && !downs.isEmpty();
    }

    /** The push that brought a message; null if it is not known. */
    Push push(int producer, int number) {
        if (byProducer == null) {
            byProducer = new HashMap<>();
            pushes.forEach(
                    push ->
                            byProducer
                                    .computeIfAbsent(push.producer, key -> new TreeMap<>())
                                    .put(push.number, push));
        }
        Map.Entry<Integer, Push> entry =
                byProducer.getOrDefault(producer, new TreeMap<>()).floorEntry(number);
        return entry == null ? null : entry.getValue();
    }

    /** Whether some stage was, or may have been, paused at some time of this span. */
    boolean isPaused(long from, long to) {
        Map<String, Order> paused = new HashMap<>();
        for (Order order : orders) {
            if (order.kind.equals("pause")) {
                paused.putIfAbsent(order.stage, order);
            } else if (order.kind.equals("resume") && order.ok) {
                Order pause = paused.remove(order.stage);
                if (pause != null && pause.begin <= to && order.end >= from) {
                    return true;
                }
            }
        }
        return paused.values().stream().anyMatch(pause -> pause.begin <= to);
    }

    /** The time of the first line. */
    long begin() {
        return pushes.stream().mapToLong(push -> push.begin).min().orElse(0);
    }
}
