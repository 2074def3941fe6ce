// SPDX-License-Identifier: Apache-2.0
package dev.slipring.cli.demo;

import dev.slipring.Delivery;

import java.io.IOException;
import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;

/** What every stage saw, and what it found out. Thread-safe. */
final class Tally {

    private static final int STRONGEST = 5;

    private final Set<String> pushed = ConcurrentHashMap.newKeySet();
    private final Map<String, String> located = new ConcurrentHashMap<>();
    private final Map<String, Grade> graded = new ConcurrentHashMap<>();
    private final Map<String, Quake> alerted = new ConcurrentHashMap<>();

    void pushed(String feature) throws IOException {
        pushed.add(Quake.parse(feature).id());
    }

    int pushed() {
        return pushed.size();
    }

    int graded() {
        return graded.size();
    }

    void locate(Delivery delivery) throws IOException {
        Quake quake = Quake.of(delivery);
        located.put(quake.id(), City.nearest(quake));
    }

    void grade(Delivery delivery) throws IOException {
        Quake quake = Quake.of(delivery);
        graded.put(quake.id(), Grade.of(quake));
    }

    /** Notes an alert. Throws if what one of the two stages before it found out is missing. */
    void alert(Delivery delivery) throws IOException {
        Quake quake = Quake.of(delivery);
        if (!located.containsKey(quake.id()) || !graded.containsKey(quake.id())) {
            throw new IllegalStateException(
                    "quake " + quake.id() + " came before it was located and graded");
        }
        alerted.put(quake.id(), quake);
    }

    /** How many different quakes each stage saw. */
    Map<String, Integer> seen() {
        Map<String, Integer> seen = new LinkedHashMap<>();
        seen.put("locate", located.size());
        seen.put("grade", graded.size());
        seen.put("alert", alerted.size());
        return seen;
    }

    /** How many of the pushed quakes each stage did not see, summed over the stages. */
    long lost() {
        return missing(located.keySet()) + missing(graded.keySet()) + missing(alerted.keySet());
    }

    private long missing(Collection<String> seen) {
        return pushed.stream().filter(id -> !seen.contains(id)).count();
    }

    /** How many quakes there are of each grade. */
    Map<Grade, Long> grades() {
        return new TreeMap<>(
                graded.values().stream()
                        .collect(Collectors.groupingBy(grade -> grade, Collectors.counting())));
    }

    /** The strongest quakes of all that the last stage saw. */
    List<Quake> strongest() {
        return alerted.values().stream()
                .filter(quake -> !Double.isNaN(quake.magnitude()))
                .sorted(
                        Comparator.comparingDouble(Quake::magnitude)
                                .reversed()
                                .thenComparing(Quake::id))
                .limit(STRONGEST)
                .toList();
    }

    Grade gradeOf(Quake quake) {
        return graded.get(quake.id());
    }

    String placeOf(Quake quake) {
        return located.get(quake.id());
    }
}
