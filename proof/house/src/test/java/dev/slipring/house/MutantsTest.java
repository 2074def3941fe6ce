// SPDX-License-Identifier: Apache-2.0
package dev.slipring.house;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/** The mutants fit the sources, and their page names exactly those that exist. */
class MutantsTest {

    private static final Pattern ROW = Pattern.compile("(?m)^\\| `([^`]+)` \\|");
    private static final String PATCH = ".patch";

    @Test
    void eachMutantHasARow() throws IOException {
        List<String> rows =
                ROW.matcher(Files.readString(Checkout.ROOT.resolve("docs/mutants.md")))
                        .results()
                        .map(row -> row.group(1))
                        .toList();
        List<String> patches =
                Checkout.files(PATCH).stream()
                        .map(file -> file.getFileName().toString())
                        .map(name -> name.substring(0, name.length() - PATCH.length()))
                        .toList();
        assertThat(patches).isNotEmpty();
        assertThat(rows).containsExactlyInAnyOrderElementsOf(patches);
    }

    /**
     * Each mutant fits exactly: one that fits only by guesswork may change another place than it
     * means, and would prove nothing.
     */
    @Test
    void eachMutantFits() throws IOException {
        List<String> misfits = new ArrayList<>();
        for (Path patch : Checkout.files(PATCH)) {
            List<Hunk> hunks = Hunk.of(patch);
            assertThat(hunks).as(patch.toString()).isNotEmpty();
            for (Hunk hunk : hunks) {
                if (!hunk.fits()) {
                    misfits.add(patch.getFileName() + ": " + hunk.file() + ":" + hunk.line());
                }
            }
        }
        assertThat(misfits).isEmpty();
    }
}
