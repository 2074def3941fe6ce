// SPDX-License-Identifier: Apache-2.0
package dev.slipring.torture.judge;

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
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/** Reads the journals of all processes, line by line. */
final class HistoryReader {

    /** How long a change that failed may still be on its way. */
    private static final long UNSURE = TimeUnit.SECONDS.toMicros(10);

    /** PostgreSQL's log reaches the disk after three rounds of its writer, 0.6 s, at the latest. */
    private static final long LAST_MOMENTS = 1_000_000;

    private final History history = new History();

    /** Reads a folder of journals. */
    History read(Path folder) throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            for (Path file :
                    files.filter(path -> path.toString().endsWith(".journal")).sorted().toList()) {
                add(file);
            }
        }
        sort();
        if (history.forgets) {
            forget();
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
                            born ->
                                    history.lives.add(
                                            new History.Life(
                                                    at(born), at(lines.get(lines.size() - 1)))));
        }
    }

    private static long at(String line) {
        return Long.parseLong(line.split(" ", 3)[1]);
    }

    private void add(String who, Map<String, Hand> last, String[] part) {
        long at = Long.parseLong(part[1]);
        switch (part[0]) {
            case "push" ->
                    history.pushes.add(
                            new Push(
                                    number(part[2]),
                                    number(part[3]),
                                    number(part[4]),
                                    part[5],
                                    at));
            case "pushed" -> {
                Push push = history.pushes.remove(history.pushes.size() - 1);
                history.pushes.addAll(push.ended(at, List.of(part).subList(3, part.length)));
            }
            case "ask" ->
                    history.asks.put(
                            asked(who, part[2], part[1]), new Ask(part[2], at, number(part[3])));
            case "none" -> history.asks.remove(asked(who, part[3], part[2]));
            case "claim" -> {
                history.asks.remove(asked(who, part[3], part[2]));
                Hand hand =
                        new Hand(
                                who,
                                part[3],
                                number(part[4]),
                                Long.parseLong(part[2]),
                                at,
                                Run.parse(part[5]));
                last.put(part.length > 6 ? part[6] : hand.stage, hand);
                history.hands.computeIfAbsent(hand.stage, stage -> new ArrayList<>()).add(hand);
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
                history.orders.add(new Order(part[2], part[3], at, ids));
            }
            case "obeyed" -> {
                Order order = history.orders.get(history.orders.size() - 1);
                order.ok = part[2].equals("ok");
                // A change that failed may have been made all the same, even a little later.
                order.end = order.ok ? at : at + UNSURE;
                order.count = part.length > 3 ? Long.parseLong(part[3]) : -1;
            }
            case "end" -> history.pushed = Long.parseLong(part[2]);
            case "forgets" -> history.forgets = true;
            case "server" -> (part[2].equals("up") ? history.ups : history.downs).add(at);
            case "mood" -> count("handler " + part[3].toLowerCase(Locale.ROOT));
            case "trouble" -> {
                count("trouble " + part[2]);
                if (part[2].equals("SlotMissing")) {
                    history.unreadable.add(told(who, part, 3));
                }
            }
            case "odd" -> history.odd.add(told(who, part, 2));
            case "letter" -> {
                Run run = Run.parse(part[5]).get(0);
                long asked = Long.parseLong(part[2]);
                Cause cause = Cause.valueOf(part[6]);
                history.letters.add(new Letter(asked, at, part[3], number(part[4]), run, cause));
            }
            case "tally" ->
                    history.tallies.put(
                            part[2], new Tally(Long.parseLong(part[3]), Long.parseLong(part[4])));
            case "room" ->
                    history.room =
                            new History.Room(number(part[2]), number(part[3]), number(part[4]));
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
            history.doneTimes.add(at);
            history.spokenTimes.add(hand.words.get(hand.words.size() - 1).begin);
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
        for (List<Hand> some : history.hands.values()) {
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
        for (long down : history.downs) {
            long up =
                    history.ups.stream()
                            .filter(some -> some > down)
                            .min(Long::compare)
                            .orElse(down);
            if (time > down - LAST_MOMENTS && time < Math.max(up, down + LAST_MOMENTS)) {
                return true;
            }
        }
        return false;
    }

    private void count(String what) {
        history.counts.merge(what, 1, Integer::sum);
    }

    private void sort() {
        history.hands
                .values()
                .forEach(some -> some.sort(Comparator.comparingLong(hand -> hand.end)));
        history.doneTimes.sort(null);
    }
}
