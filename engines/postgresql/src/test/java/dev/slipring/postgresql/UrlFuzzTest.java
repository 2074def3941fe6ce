// SPDX-License-Identifier: Apache-2.0
package dev.slipring.postgresql;

import static org.assertj.core.api.Assertions.assertThat;

import dev.slipring.Slipring;
import dev.slipring.SlipringException;

import org.junit.jupiter.api.Test;

import java.util.List;
import java.util.Random;

/** A URL names a database or is refused in words that show no password, whatever stands in it. */
class UrlFuzzTest {

    private static final int SEEDS = Integer.getInteger("seeds", 20_000);

    private static final List<String> WHO =
            List.of(
                    "",
                    "",
                    "me@",
                    "me:hush@",
                    ":hush@",
                    "m%6d:%68ush@",
                    "me%:hush@",
                    "me:hush%zz@");
    private static final List<String> PLACE =
            List.of("host", "127.0.0.1:1", "[::1]:1", ":", ":x", ":99999", "/", "/db", "/d%20b");
    private static final List<String> NOISE = List.of(" ", "é", "🎡", ",", "=", "%", "}", "@", "");
    private static final List<String> OPTIONS =
            List.of(
                    "?password=hush",
                    "&password=hush",
                    "?user=me",
                    "&sslmode=never",
                    "?connectTimeout=soon",
                    "?ssl",
                    "&=",
                    "?%zz");

    @Test
    void everyUrlIsReadOrRefusedInWords() {
        int read = 0;
        int refused = 0;
        for (long seed = 0; seed < SEEDS; seed++) {
            Random random = new Random(seed);
            String url =
                    "postgresql://"
                            + any(WHO, random)
                            + some(PLACE, random)
                            + (random.nextInt(4) == 0 ? any(NOISE, random) : "")
                            + some(OPTIONS, random);
            try {
                PostgresUrl parsed = PostgresUrl.parse(url);
                parsed.dataSource();
                assertThat(Slipring.withoutPassword(parsed.toString()))
                        .as("seed " + seed + ": " + url)
                        .startsWith("postgresql://");
                read++;
            } catch (IllegalArgumentException | SlipringException e) {
                assertThat(e.getMessage())
                        .as("seed " + seed + ": " + url)
                        .isNotBlank()
                        .doesNotContain("hush");
                refused++;
            } catch (RuntimeException e) {
                throw new AssertionError("seed " + seed + ": '" + url + "'", e);
            }
        }
        assertThat(read).isGreaterThan(SEEDS / 20);
        assertThat(refused).isGreaterThan(SEEDS / 20);
    }

    private static String any(List<String> pieces, Random random) {
        return pieces.get(random.nextInt(pieces.size()));
    }

    private static String some(List<String> pieces, Random random) {
        StringBuilder text = new StringBuilder();
        for (int i = random.nextInt(4); i > 0; i--) {
            text.append(any(pieces, random));
        }
        return text.toString();
    }
}
