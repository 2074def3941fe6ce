// SPDX-License-Identifier: Apache-2.0
package dev.slipring.sqlite;

import static org.assertj.core.api.Assertions.assertThat;

import dev.slipring.kit.UrlFuzz;

import org.junit.jupiter.api.Test;

import java.util.List;
import java.util.Random;

class UrlFuzzTest {

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
                    "machines=one",
                    "machines=two",
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
        UrlFuzz.run(
                UrlFuzzTest::url,
                url -> {
                    SqliteUrl parsed = SqliteUrl.parse(url);
                    assertThat(parsed.file()).isNotEmpty();
                    assertThat(parsed.options().busy().toSeconds()).isBetween(0L, 86_400L);
                });
    }

    /** A random URL of SQLite. */
    private static String url(Random random) {
        StringBuilder url = new StringBuilder();
        do {
            url.setLength(0);
            url.append(random.nextInt(8) == 0 ? "" : "sqlite:");
            for (int i = random.nextInt(7); i > 0; i--) {
                url.append(
                        random.nextInt(6) == 0
                                ? "" + (char) random.nextInt(300)
                                : UrlFuzz.any(PIECES, random));
            }
        } while (!SqliteUrl.accepts(url.toString()));
        return url.toString();
    }
}
