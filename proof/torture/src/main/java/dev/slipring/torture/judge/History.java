// SPDX-License-Identifier: Apache-2.0
package dev.slipring.torture.judge;

import dev.slipring.torture.Course;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/** All that the journals of all processes say. */
public final class History {

    private static final long UNSURE = TimeUnit.SECONDS.toMicros(10);

    /** PostgreSQL's log reaches the disk after three rounds of its writer, 0.6 s, at the latest. */
    private static final long LAST_MOMENTS = 1_000_000;

    final List<Push> pushes = new ArrayList<>();
    final Map<String, List<Hand>> hands = new TreeMap<>();
    final List<Order> orders = new ArrayList<>();
    final List<String> odd = new ArrayList<>();

    /** What processes were told of messages that cannot be read. */
    final List<String> unreadable = new ArrayList<>();

    final Map<String, Integer> counts = new TreeMap<>();
    final List<Long> doneTimes = new ArrayList<>();

    /** When the server took connections again after it had been killed. */
    final List<Long> ups = new ArrayList<>();

    /** When the server was killed. */
    final List<Long> downs = new ArrayList<>();

    /** The times in which processes of workers surely had the store open. */
    final List<Life> lives = new ArrayList<>();

    /** How many messages were ever pushed, as the ring said at the end; -1 if it was not asked. */
    long pushed = -1;

    /** Whether a server that was killed may have forgotten its last answers. */
    private boolean forgets;

    /** What workers asked for and got no answer to. */
    private final Map<String, Ask> asks = new HashMap<>();

    /** Dead letters, as they were shown. */
    final List<Letter> letters = new ArrayList<>();

    /** What each stage counted until the end. */
    final Map<String, Tally> tallies = new HashMap<>();

    /** The room that the ring has; null if its messages are not what fills it. */
    Room room;

    /** Pushes by their producers and the numbers of their first messages. */
    private Map<Integer, TreeMap<Integer, Push>> byProducer;

    /** When dones that were taken had been begun. */
    final List<Long> spokenTimes = new ArrayList<>();

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
        History history = new History();
        try (Stream<Path> files = Files.list(folder)) {
            for (Path file :
                    files.filter(path -> path.toString().endsWith(".journal")).sorted().toList()) {
                history.add(file);
            }
        }
        history.sort();
        if (history.forgets) {
            history.forget();
        }
        return history;
    }

    private void add(Path file) throws IOException {
        String who = file.getFileName().toString().replace(".journal", "");
        Map<String, Hand> last = new HashMap<>();
        String text = Files.readString(file, StandardCharsets.UTF_8);
        // The last line of a process that was killed may be incomplete.
        List<String> lines = text.substring(0, text.lastIndexOf('\n') + 1).lines().toList();
        lines.forEach(line -> add(who, last, line.split(" ")));
        if (who.startsWith("worker")) {
            lines.stream()
                    .filter(line -> line.startsWith("born "))
                    .findFirst()
                    .ifPresent(
                            born -> lives.add(new Life(at(born), at(lines.get(lines.size() - 1)))));
        }
    }

    private static long at(String line) {
        return Long.parseLong(line.split(" ", 3)[1]);
    }

    private void add(String who, Map<String, Hand> last, String[] part) {
        long at = Long.parseLong(part[1]);
        switch (part[0]) {
            case "push" ->
                    pushes.add(
                            new Push(
                                    Integer.parseInt(part[2]),
                                    Integer.parseInt(part[3]),
                                    Integer.parseInt(part[4]),
                                    part[5],
                                    at));
            case "pushed" -> {
                Push push = pushes.remove(pushes.size() - 1);
                pushes.addAll(push.ended(at, List.of(part).subList(3, part.length)));
            }
            case "ask" ->
                    asks.put(asked(who, part[2], part[1]), new Ask(part[2], at, number(part[3])));
            case "none" -> asks.remove(asked(who, part[3], part[2]));
            case "claim" -> {
                asks.remove(asked(who, part[3], part[2]));
                Hand hand =
                        new Hand(
                                who,
                                part[3],
                                Integer.parseInt(part[4]),
                                Long.parseLong(part[2]),
                                at,
                                Run.parse(part[5]));
                last.put(part.length > 6 ? part[6] : hand.stage, hand);
                hands.computeIfAbsent(hand.stage, stage -> new ArrayList<>()).add(hand);
            }
            case "word" -> {
                long retry = part.length > 5 ? Long.parseLong(part[5]) : 0;
                last.get(part[2]).words.add(new Word(at, part[4], part[3], retry));
            }
            case "said" -> said(last.get(part[2]), at, part[3]);
            default -> note(who, at, part);
        }
    }

    /** Takes what the controller did or was shown, and what is told beside claims and pushes. */
    private void note(String who, long at, String[] part) {
        switch (part[0]) {
            case "order" -> {
                Set<String> ids = part.length > 4 ? Set.of(part[4].split(",")) : Set.of();
                orders.add(new Order(part[2], part[3], at, ids));
            }
            case "obeyed" -> {
                Order order = orders.get(orders.size() - 1);
                order.ok = part[2].equals("ok");
                // A change that failed may have been made all the same, even a little later.
                order.end = order.ok ? at : at + UNSURE;
                order.count = part.length > 3 ? Long.parseLong(part[3]) : -1;
            }
            case "end" -> pushed = Long.parseLong(part[2]);
            case "forgets" -> forgets = true;
            case "server" -> (part[2].equals("up") ? ups : downs).add(at);
            case "mood" -> count("handler " + part[3].toLowerCase(Locale.ROOT));
            case "trouble" -> {
                count("trouble " + part[2]);
                if (part[2].equals("SlotMissing")) {
                    unreadable.add(told(who, part, 3));
                }
            }
            case "odd" -> odd.add(told(who, part, 2));
            case "letter" -> {
                Run run = Run.parse(part[5]).get(0);
                long asked = Long.parseLong(part[2]);
                Cause cause = Cause.valueOf(part[6]);
                letters.add(new Letter(asked, at, part[3], number(part[4]), run, cause));
            }
            case "tally" ->
                    tallies.put(
                            part[2],
                            new Tally(Long.parseLong(part[3]), Long.parseLong(part[4])));
            case "room" ->
                    room = new Room(number(part[2]), number(part[3]), number(part[4]));
            default -> {}
        }
    }

    /** What names the wish of a worker: no two of a process begin at one time. */
    private static String asked(String who, String stage, String begin) {
        return who + "/" + stage + "/" + begin;
    }

    private static int number(String text) {
        return Integer.parseInt(text);
    }

    private static String told(String who, String[] part, int from) {
        return who + ": " + String.join(" ", List.of(part).subList(from, part.length));
    }

    /** Notes the answer to all words about a claim that have none yet. */
    private void said(Hand hand, long at, String answer) {
        Word.Outcome outcome = Word.Outcome.valueOf(answer.toUpperCase(Locale.ROOT));
        boolean isDone = false;
        for (int i = hand.words.size() - 1; i >= 0 && hand.words.get(i).isOpen(); i--) {
            Word word = hand.words.get(i);
            word.end = at;
            word.outcome = outcome;
            isDone |= word.isDone();
        }
        if (isDone && outcome == Word.Outcome.OK) {
            doneTimes.add(at);
            spokenTimes.add(hand.words.get(hand.words.size() - 1).begin);
        }
        if (outcome == Word.Outcome.FENCED) {
            count("words refused as late");
        }
    }

    /**
     * Marks what the server answered in its last moments before a kill: it may have forgotten it,
     * or not.
     */
    private void forget() {
        for (List<Hand> some : hands.values()) {
            for (Hand hand : some) {
                hand.forgettable = wasInLastMoments(hand.end);
                for (Word word : hand.words) {
                    if (word.isForgettable() && wasInLastMoments(word.end)) {
                        word.outcome = Word.Outcome.UNKNOWN;
                    }
                }
            }
        }
    }

    private boolean wasInLastMoments(long time) {
        for (long down : downs) {
            long up = ups.stream().filter(some -> some > down).min(Long::compare).orElse(down);
            if (time > down - LAST_MOMENTS && time < Math.max(up, down + LAST_MOMENTS)) {
                return true;
            }
        }
        return false;
    }

    private void count(String what) {
        counts.merge(what, 1, Integer::sum);
    }

    /** How often each kind of trouble was made or met. */
    public Map<String, Integer> counts() {
        return counts;
    }

    private void sort() {
        hands.values().forEach(some -> some.sort(Comparator.comparingLong(hand -> hand.end)));
        doneTimes.sort(null);
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
                    order.stage.equals(stage)
                            || Course.ANCESTORS.get(stage).contains(order.stage);
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
