// SPDX-License-Identifier: Apache-2.0
package dev.slipring.sqlite;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

import java.util.List;
import java.util.Random;

/** A URL names a file and known options, or is refused in words, whatever stands in it. */
class UrlFuzzTest {

    private static final int SEEDS = Integer.getInteger("seeds", 50_000);
    private static final List<String> PIECES =
            List.of(
                    "sqlite:",
                    "jdbc:",
                    "jdbc:sqlite:",
                    "file:",
                    ":memory:",
                    "x.db",
                    "/",
                    "..",
                    "?",
                    "&",
                    "=",
                    "synchronous=full",
                    "synchronous",
                    "normal",
                    "done=relaxed",
                    "synced",
                    "busy=5",
                    "busy=-1",
                    "busy=99999999999",
                    "busy=86401",
                    "%00",
                    " ",
                    "\n",
                    "é",
                    "🎡",
                    "#",
                    ";",
                    "'",
                    "--",
                    "");

    @Test
    void everyUrlIsReadOrRefusedInWords() {
        int read = 0;
        int refused = 0;
        for (long seed = 0; seed < SEEDS; seed++) {
            Random random = new Random(seed);
            StringBuilder url = new StringBuilder(random.nextInt(8) == 0 ? "" : "sqlite:");
            for (int i = random.nextInt(7); i > 0; i--) {
                url.append(
                        random.nextInt(6) == 0
                                ? "" + (char) random.nextInt(300)
                                : PIECES.get(random.nextInt(PIECES.size())));
            }
            if (!SqliteUrl.accepts(url.toString())) {
                continue;
            }
            try {
                SqliteUrl parsed = SqliteUrl.parse(url.toString());
                assertThat(parsed.file()).as("seed " + seed + ": " + url).isNotEmpty();
                assertThat(parsed.options().busy().toSeconds()).isBetween(0L, 86_400L);
                read++;
            } catch (IllegalArgumentException e) {
                assertThat(e.getMessage()).as("seed " + seed).isNotBlank();
                refused++;
            } catch (RuntimeException e) {
                throw new AssertionError("seed " + seed + ": '" + url + "'", e);
            }
        }
        assertThat(read).isGreaterThan(SEEDS / 20);
        assertThat(refused).isGreaterThan(SEEDS / 20);
    }
}
