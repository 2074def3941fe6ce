// SPDX-License-Identifier: Apache-2.0
package dev.slipring.cli.text;

import dev.slipring.graph.RingSpec;
import dev.slipring.graph.StageSpec;

import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * A stage as people write it: {@code NAME[:after=A+B][:ordered][:lease=30s][:tries=5]}.
 *
 * @param stage what the stage is
 * @param after the stages that it follows
 */
public record StageText(StageSpec stage, Set<String> after) {

    /** How a stage is written. */
    public static final String FORM = "NAME[:after=A+B][:ordered][:lease=30s][:tries=5]";

    /** Reads a stage. */
    public static StageText parse(String text) {
        String[] pieces = text.split(":", -1);
        StageSpec stage = StageSpec.named(pieces[0]);
        Set<String> after = Set.of();
        Set<String> seen = new HashSet<>();
        for (int i = 1; i < pieces.length; i++) {
            String piece = pieces[i];
            int equals = piece.indexOf('=');
            String name = equals < 0 ? piece : piece.substring(0, equals + 1);
            String value = piece.substring(equals + 1);
            if (!seen.add(name)) {
                throw bad(text, piece, "it stands twice");
            }
            switch (name) {
                case "ordered" -> stage = stage.ordered();
                case "after=" -> after = names(text, piece, value);
                case "lease=" -> stage = stage.lease(lease(text, piece, value));
                case "tries=" -> stage = stage.tries(tries(text, piece, value));
                default -> throw bad(text, piece, "it is written " + FORM);
            }
        }
        return new StageText(stage, after);
    }

    /** The ring with the stages that were written, if there are any. */
    public static RingSpec apply(RingSpec spec, List<String> texts) {
        if (texts == null || texts.isEmpty()) {
            return spec;
        }
        List<StageText> stages = texts.stream().map(StageText::parse).toList();
        Map<String, Set<String>> after = new HashMap<>();
        stages.forEach(stage -> after.merge(stage.stage().name(), stage.after(), (a, b) -> a));
        return spec.graph(stages.stream().map(StageText::stage).toList(), after);
    }

    private static Set<String> names(String text, String piece, String value) {
        Set<String> names = new LinkedHashSet<>();
        for (String name : value.split("\\+", -1)) {
            if (name.isEmpty()) {
                throw bad(text, piece, "a name is missing; write after=A or after=A+B");
            }
            names.add(name);
        }
        return names;
    }

    private static Duration lease(String text, String piece, String value) {
        try {
            return DurationText.parse(value);
        } catch (IllegalArgumentException e) {
            throw bad(text, piece, e.getMessage());
        }
    }

    private static int tries(String text, String piece, String value) {
        try {
            return Integer.parseInt(value);
        } catch (NumberFormatException e) {
            throw bad(text, piece, "'" + value + "' is no number of tries; use 1 to 1,000,000");
        }
    }

    private static IllegalArgumentException bad(String text, String piece, String why) {
        return new IllegalArgumentException(
                "stage '" + text + "': bad piece '" + piece + "': " + why);
    }
}
