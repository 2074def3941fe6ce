// SPDX-License-Identifier: Apache-2.0
package dev.slipring.cli.text;

import static org.assertj.core.api.Assertions.assertThat;

import dev.slipring.graph.RingSpec;

import org.junit.jupiter.api.Test;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.function.Function;

/** Any text that people may write is read, or refused in words. */
class GraphFuzzTest {

    private static final int SEEDS = Integer.getInteger("seeds", 30_000);
    private static final List<String> PIECES =
            List.of(
                    "a",
                    "b",
                    "c",
                    "a:after=b",
                    ":after=a",
                    "+b",
                    "+",
                    ":ordered",
                    ":lease=30s",
                    ":lease=",
                    "0s",
                    "-1",
                    "1e9",
                    "99999999999999999999",
                    "ms",
                    "h",
                    ":tries=5",
                    ":tries=0",
                    ":tries=x",
                    ":",
                    "=",
                    " ",
                    "",
                    "\n",
                    "é",
                    "🎡",
                    "KiB",
                    "2026-01-01",
                    "T10:00:00Z",
                    "oldest",
                    "newest",
                    "1,000",
                    "_",
                    ".5",
                    "'");

    private static String text(Random random) {
        StringBuilder text = new StringBuilder();
        for (int i = random.nextInt(6); i > 0; i--) {
            text.append(
                    random.nextInt(9) == 0
                            ? "" + (char) random.nextInt(300)
                            : PIECES.get(random.nextInt(PIECES.size())));
        }
        return text.toString();
    }

    /** Whether the text was read. Fails on anything but a refusal in words. */
    private static boolean reads(long seed, Object what, Runnable reading) {
        try {
            reading.run();
            return true;
        } catch (IllegalArgumentException e) {
            assertThat(e.getMessage()).as("seed " + seed + ": " + what).isNotBlank();
            return false;
        } catch (RuntimeException e) {
            throw new AssertionError("seed " + seed + ": " + what, e);
        }
    }

    @Test
    void graphsAreReadOrRefusedInWords() {
        int read = 0;
        for (long seed = 0; seed < SEEDS; seed++) {
            Random random = new Random(seed);
            List<String> stages = new ArrayList<>();
            for (int i = random.nextInt(4); i >= 0; i--) {
                stages.add(random.nextInt(3) > 0 ? "s" + i + text(random) : text(random));
            }
            RingSpec spec = RingSpec.named("r");
            read += reads(seed, stages, () -> StageText.apply(spec, stages)) ? 1 : 0;
        }
        assertThat(read).isBetween(SEEDS / 100, SEEDS);
    }

    @Test
    void numbersAndTimesAreReadOrRefusedInWords() {
        List<Function<String, Object>> readers =
                List.of(
                        DurationText::parse,
                        DurationText::parseWait,
                        SizeText::parseBytes,
                        SizeText::parseCount,
                        StartText::parse);
        int read = 0;
        for (long seed = 0; seed < SEEDS; seed++) {
            Random random = new Random(seed);
            String front = random.nextInt(3) == 0 ? "" + random.nextInt(999) : "";
            String text = front + text(random);
            Function<String, Object> reader = readers.get(random.nextInt(readers.size()));
            read += reads(seed, text, () -> reader.apply(text)) ? 1 : 0;
        }
        assertThat(read).isBetween(SEEDS / 100, SEEDS);
    }
}
