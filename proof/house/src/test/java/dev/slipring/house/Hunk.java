// SPDX-License-Identifier: Apache-2.0
package dev.slipring.house;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;

/**
 * A change of a unified diff.
 *
 * @param file the file, from the root
 * @param line the line of the file at which the change says that it begins, from 1
 * @param before the lines that it expects there
 */
record Hunk(String file, int line, List<String> before) {

    private static final Pattern FILE = Pattern.compile("--- a/(\\S+).*");
    private static final Pattern PLACE = Pattern.compile("@@ -(\\d+)(,\\d+)? .*");

    /** The changes of a patch. */
    static List<Hunk> of(Path patch) throws IOException {
        List<Hunk> hunks = new ArrayList<>();
        String file = null;
        for (String text : Files.readAllLines(patch)) {
            Matcher named = FILE.matcher(text);
            Matcher place = PLACE.matcher(text);
            if (named.matches()) {
                file = named.group(1);
            } else if (place.matches()) {
                hunks.add(new Hunk(file, Integer.parseInt(place.group(1)), new ArrayList<>()));
            } else if (!hunks.isEmpty() && (text.startsWith(" ") || text.startsWith("-"))) {
                hunks.get(hunks.size() - 1).before.add(text.substring(1));
            }
        }
        return hunks;
    }

    /**
     * Whether its lines stand in the file once, or, if more than once, also at the line that it
     * names.
     */
    boolean fits() throws IOException {
        Path path = Checkout.ROOT.resolve(file);
        if (!Files.exists(path)) {
            return false;
        }
        List<String> lines = Files.readAllLines(path);
        int size = before.size();
        List<Integer> places =
                IntStream.rangeClosed(0, lines.size() - size)
                        .filter(at -> lines.subList(at, at + size).equals(before))
                        .boxed()
                        .toList();
        return places.size() == 1 || places.contains(line - 1);
    }
}
