// SPDX-License-Identifier: Apache-2.0
package dev.slipring.kit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.slipring.SlipringException;

import java.util.List;
import java.util.Random;
import java.util.function.Consumer;
import java.util.function.Function;

/**
 * Random URLs: each is read, or refused in words that do not show its password. All chance comes
 * from the seed; {@code -Dseeds=N} tries N seeds.
 */
public final class UrlFuzz {

    /** The password, in every URL that has one. */
    public static final String PASSWORD = "hush";

    private static final int SEEDS = Integer.getInteger("seeds", 50_000);
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

    private UrlFuzz() {}

    /** Makes random URLs of servers, with some of these options. */
    public static Function<Random, String> servers(List<String> schemes, List<String> options) {
        return random ->
                any(schemes, random)
                        + any(WHO, random)
                        + some(PLACE, 3, random)
                        + (random.nextInt(4) == 0 ? any(NOISE, random) : "")
                        + some(options, 3, random);
    }

    /**
     * Tries as many URLs as {@code -Dseeds} asks for.
     *
     * @param reader reads a URL, and asserts what holds for one that can be read
     */
    public static void run(Function<Random, String> urls, Consumer<String> reader) {
        int read = 0;
        for (long seed = 0; seed < SEEDS; seed++) {
            String url = urls.apply(new Random(seed));
            try {
                reader.accept(url);
                read++;
            } catch (IllegalArgumentException | SlipringException e) {
                assertThat(e.getMessage())
                        .as("seed " + seed + ": " + url)
                        .isNotBlank()
                        .doesNotContain(PASSWORD);
            } catch (RuntimeException | AssertionError e) {
                throw new AssertionError("seed " + seed + ": '" + url + "'", e);
            }
        }
        assertThat(read).as("of %s", SEEDS).isBetween(SEEDS / 20, SEEDS - SEEDS / 20);
    }

    /** One of the pieces. */
    public static String any(List<String> pieces, Random random) {
        return pieces.get(random.nextInt(pieces.size()));
    }

    /** Some of the pieces, at random and one behind the other; perhaps none. */
    public static String some(List<String> pieces, int most, Random random) {
        StringBuilder text = new StringBuilder();
        for (int i = random.nextInt(most + 1); i > 0; i--) {
            text.append(any(pieces, random));
        }
        return text.toString();
    }
}
