// SPDX-License-Identifier: Apache-2.0
package dev.slipring.cli;

import dev.slipring.cli.show.Json;
import dev.slipring.torture.Torture;
import dev.slipring.torture.TortureRequest;

import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

import java.io.IOException;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.ThreadLocalRandom;

/** Tries to make a store lose a message. */
@Command(
        name = "torture",
        description = {
            "Try to make a store break its promises.",
            "Processes push and work, are killed, stopped and disturbed by a plan; then"
                    + " their journals are judged. Works in a store of its own, which must not"
                    + " exist: sqlite:FILE, or a server that it starts and kills in a new folder,"
                    + " as postgresql:FOLDER, mariadb:FOLDER or mysql:FOLDER. Or works in an empty"
                    + " database of yours, as postgresql://USER@HOST:PORT/DATABASE; then it cuts"
                    + " connections, but does not kill the server."
        })
final class TortureCommand implements Callable<Integer> {

    @Spec private CommandSpec spec;

    @Option(
            names = "--seed",
            paramLabel = "N",
            description =
                    "the number from which the plan is made; the same seed makes the same plan")
    private Long seed;

    @Option(
            names = "--minutes",
            paramLabel = "M",
            defaultValue = "1",
            description = "how long the plan lasts (default: ${DEFAULT-VALUE})")
    private double minutes;

    @Option(
            names = "--journals",
            paramLabel = "FOLDER",
            description = "keep the journals of all processes in this folder")
    private Path journals;

    @Option(
            names = "--soak",
            description =
                    "kill no process, and measure what the processes and the store use; the table "
                            + "and the plot are kept beside the journals")
    private boolean soak;

    @Option(
            names = "--rate",
            paramLabel = "N",
            defaultValue = "0",
            description =
                    "push at most this many messages a second, 0 for no limit (default: "
                            + "${DEFAULT-VALUE})")
    private int rate;

    @Option(names = "--json", description = "print one JSON object")
    private boolean json;

    @Override
    public Integer call() throws Exception {
        Main main = Main.of(spec);
        String url = main.askedUrl() == null ? "sqlite:slipring-torture.db" : main.askedUrl();
        long own = seed == null ? ThreadLocalRandom.current().nextInt(1_000_000) : seed;
        TortureRequest request =
                new TortureRequest(
                        url,
                        own,
                        Duration.ofMillis(Math.round(minutes * 60_000)),
                        journals,
                        soak,
                        rate);
        Streams streams = main.streams();
        PrintStream out = new PrintStream(streams.out(), true, StandardCharsets.UTF_8);
        boolean good =
                json
                        ? Torture.run(request, facts -> print(out, facts), streams.err())
                        : Torture.run(request, out, streams.err());
        Streams.checkPrinted(out);
        return good ? 0 : Failures.FAILED;
    }

    private static void print(PrintStream out, Map<String, Object> facts) {
        try {
            out.println(Json.line(line -> Json.facts(line, facts)));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
