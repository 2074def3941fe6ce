// SPDX-License-Identifier: Apache-2.0
package dev.slipring.sql;

import dev.slipring.graph.Backoff;
import dev.slipring.graph.Mode;
import dev.slipring.graph.Shape;
import dev.slipring.graph.StageSpec;
import dev.slipring.graph.Stages;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/**
 * The stages of a ring as its rows say, one for each stage in the order of the declaration. An
 * engine without better types writes its mode as a word, what it follows as names joined by +, and
 * whether it is paused as 1 or 0.
 */
public final class StageRows {

    private static final String AND = "+";

    private final List<StageSpec> stages = new ArrayList<>();
    private final Map<String, Set<String>> after = new HashMap<>();
    private final Set<String> paused = new HashSet<>();

    /** None so far. */
    public StageRows() {}

    /**
     * Takes the next stage: name, mode, lease, tries, first back-off, most back-off, keep, what it
     * follows, whether it is paused.
     *
     * @param from the column of the name
     */
    public void read(ResultSet row, int from) throws SQLException {
        Mode mode = mode(row.getString(from), row.getString(from + 1));
        String follows = row.getString(from + 7);
        add(
                stage(row, from, mode),
                follows.isEmpty() ? Set.of() : Set.copyOf(List.of(follows.split("\\" + AND))),
                row.getInt(from + 8) == 1);
    }

    private static Mode mode(String stage, String word) {
        for (Mode mode : Mode.values()) {
            if (mode.name().toLowerCase(Locale.ROOT).equals(word)) {
                return mode;
            }
        }
        throw new IllegalArgumentException(
                "stage '" + stage + "' has the mode '" + word + "'; use pool or ordered");
    }

    /** Takes the next stage. */
    public void add(StageSpec stage, Set<String> follows, boolean isPaused) {
        stages.add(stage);
        after.put(stage.name(), follows);
        if (isPaused) {
            paused.add(stage.name());
        }
    }

    /**
     * A stage by itself: name, mode, lease, tries, first back-off, most back-off, keep; times in
     * milliseconds.
     *
     * @param from the column of the name
     * @param mode what the next column says; engines write it in different ways
     */
    public static StageSpec stage(ResultSet row, int from, Mode mode) throws SQLException {
        return new StageSpec(
                row.getString(from),
                mode,
                Duration.ofMillis(row.getLong(from + 2)),
                row.getInt(from + 3),
                new Backoff(
                        Duration.ofMillis(row.getLong(from + 4)),
                        Duration.ofMillis(row.getLong(from + 5))),
                row.getLong(from + 6));
    }

    /** All of them, and what each follows. */
    public Stages stages() {
        return Stages.of(stages, after);
    }

    /** Those that hand out nothing. */
    public Set<String> paused() {
        return paused;
    }

    /** The values of each row that is to be written: ring, number, then what is read. */
    public static List<Object[]> of(Shape shape) {
        List<Object[]> rows = new ArrayList<>();
        Stages stages = shape.spec().stages();
        for (String name : stages.names()) {
            StageSpec stage = stages.get(name);
            rows.add(
                    new Object[] {
                        shape.id(),
                        rows.size(),
                        name,
                        stage.mode().name().toLowerCase(Locale.ROOT),
                        stage.lease().toMillis(),
                        stage.tries(),
                        stage.backoff().first().toMillis(),
                        stage.backoff().most().toMillis(),
                        stage.keep(),
                        String.join(AND, new TreeSet<>(stages.after(name))),
                        shape.paused().contains(name) ? 1 : 0
                    });
        }
        return rows;
    }
}
