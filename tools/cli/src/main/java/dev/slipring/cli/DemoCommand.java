// SPDX-License-Identifier: Apache-2.0
package dev.slipring.cli;

import dev.slipring.Slipring;
import dev.slipring.cli.demo.Demo;
import dev.slipring.cli.demo.Result;
import dev.slipring.engine.Passwords;

import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import java.util.function.Consumer;
import java.util.stream.Stream;

/** {@code slipring demo}: the main job, on real messages, with the result shown. */
@Command(
        name = "demo",
        description = {
            "Show a ring at work: a worker is killed, and nothing is lost.",
            "Pushes 1,707 real earthquakes through a diamond of stages and kills a worker in"
                    + " the middle of its claim. Takes about five seconds. Works on a temporary"
                    + " SQLite file, or on the store that --url or $SLIPRING_URL names."
        })
final class DemoCommand implements Callable<Integer> {

    @Spec private CommandSpec spec;

    @Option(names = "--keep", description = "leave the ring where it is, to look at it")
    private boolean keep;

    @Option(
            names = "--json",
            description = "print the result as one JSON object; the words go to stderr")
    private boolean json;

    @Override
    public Integer call() throws IOException, InterruptedException {
        Main main = main();
        if (main.askedUrl() != null) {
            return run(main.streams(), main.askedUrl(), "demo-" + ProcessHandle.current().pid());
        }
        Path folder = Files.createTempDirectory("slipring-demo-");
        try (Ending ending = new Ending(() -> forget(folder))) {
            return run(main.streams(), "sqlite:" + folder.resolve("demo.db"), "quakes");
        } finally {
            if (!keep) {
                delete(folder);
            }
        }
    }

    private int run(Streams streams, String url, String name)
            throws IOException, InterruptedException {
        Consumer<String> says = json ? streams::say : line -> print(streams, line);
        try (Slipring slipring = Slipring.open(url)) {
            says.accept("ring " + name + " in " + Passwords.maskedUrl(url));
            boolean coloured = json ? streams.isErrColoured() : streams.isOutColoured();
            Result result;
            // Drops a ring in the user's store. A temporary folder is deleted as a whole instead.
            try (Ending ending = new Ending(() -> forget(slipring, url, name))) {
                result = new Demo(slipring, url, name, says, coloured).run();
            } finally {
                if (!keep) {
                    slipring.drop(name);
                }
            }
            if (keep) {
                says.accept(
                        "look at it: slipring info " + name + " --url " + Passwords.maskedUrl(url));
            }
            if (json) {
                streams.print(result.json());
            }
            return result.lost() == 0 ? 0 : Failures.FAILED;
        }
    }

    /**
     * Drops the ring when the process is told to end. The demo's threads fail then, but nobody sees
     * it.
     */
    private void forget(Slipring slipring, String url, String name) {
        if (!keep && url.equals(main().askedUrl())) {
            slipring.drop(name);
        }
    }

    private Main main() {
        return Main.of(spec);
    }

    private void forget(Path folder) {
        try {
            if (!keep) {
                delete(folder);
            }
        } catch (IOException e) {
            // It stays behind in the system's folder for temporary files.
        }
    }

    private static void print(Streams streams, String line) {
        try {
            streams.print(line);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void delete(Path folder) throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            for (Path file : files.toList()) {
                Files.delete(file);
            }
        }
        Files.delete(folder);
    }
}
