// SPDX-License-Identifier: Apache-2.0
package dev.slipring.cli;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/** Any command line ends with 0, 1 or 2 and words: never with a stack trace. */
class CommandLineFuzzTest {

    private static final int SEEDS = Integer.getInteger("seeds", 1_000);

    /** All commands but those that run for long by themselves: demo, bench, torture. */
    private static final List<String> COMMANDS =
            List.of(
                    "create",
                    "push",
                    "pop",
                    "info",
                    "stage",
                    "dead",
                    "purge",
                    "drop",
                    "resize",
                    "check",
                    "migrate",
                    "completion",
                    "nonsense",
                    "");

    private static final List<String> WORDS =
            List.of(
                    "r",
                    "other",
                    "ls",
                    "add",
                    "pause",
                    "resume",
                    "rewind",
                    "rm",
                    "retry",
                    "drop",
                    "status",
                    "print",
                    "apply",
                    "main",
                    "a",
                    "b",
                    "--lanes",
                    "3",
                    "--messages",
                    "0",
                    "--bytes",
                    "1KiB",
                    "--stage",
                    "a:ordered",
                    "b:after=a",
                    "--key-field",
                    "k",
                    "--max",
                    "1",
                    "--json",
                    "--yes",
                    "--after",
                    "--from",
                    "--start",
                    "oldest",
                    "0-0",
                    "-1",
                    "--help",
                    "--version",
                    "-x",
                    "--",
                    "=",
                    "é🎡",
                    "'",
                    "\n",
                    "--wait",
                    "x",
                    "99999999999999999999",
                    "--url=memory:",
                    "--url=postgresql://u:secret@h/d",
                    "--url=sqlite:",
                    "--url=sqlite:/no/such/folder/x.db",
                    "--url");

    @TempDir Path folder;

    @Test
    void everyCommandLineEndsWithACodeAndWords() {
        Shell shell = new Shell(folder);
        int[] codes = new int[3];
        for (long seed = 0; seed < SEEDS; seed++) {
            Random random = new Random(seed);
            List<String> args = new ArrayList<>();
            args.add(COMMANDS.get(random.nextInt(COMMANDS.size())));
            if (random.nextInt(3) > 0) {
                args.add("r");
            }
            for (int i = random.nextInt(6); i > 0; i--) {
                args.add(WORDS.get(random.nextInt(WORDS.size())));
            }
            String what = "seed " + seed + ": " + args;
            Shell.Run run = shell.feed(in(random), args.toArray(String[]::new));
            assertThat(run.code()).as(what).isBetween(0, 2);
            assertThat(run.err())
                    .as(what)
                    .doesNotContain("\tat ", "Exception", "should not have happened", "secret");
            if (run.code() > 0) {
                assertThat(run.err()).as(what).isNotBlank();
            }
            codes[run.code()]++;
        }
        assertThat(codes).as("0, 1 and 2 all come").doesNotContain(0);
    }

    private static byte[] in(Random random) {
        byte[] noise = new byte[random.nextInt(20)];
        random.nextBytes(noise);
        return random.nextBoolean()
                ? "{\"k\":\"v\"}\n{}\n[\n".getBytes(StandardCharsets.UTF_8)
                : noise;
    }
}
