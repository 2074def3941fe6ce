// SPDX-License-Identifier: Apache-2.0
package dev.slipring.cli;

import dev.slipring.DeadLetter;
import dev.slipring.Slipring;
import dev.slipring.cli.show.Json;
import dev.slipring.cli.show.Table;
import dev.slipring.graph.PrintableText;
import dev.slipring.cli.text.SizeText;
import dev.slipring.json.MessageFields;

import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParentCommand;

import java.io.IOException;

/** {@code slipring dead RING ls}: shows dead letters. */
@Command(name = "ls", description = "Show the dead letters of the stage, or of all stages.")
final class DeadLsCommand extends StoreCommand {

    private static final int SHOWN = 60;

    /** How many are read at once. */
    private static final int PAGE = 1_000;

    @ParentCommand private DeadCommand dead;

    @Option(
            names = "--max",
            paramLabel = "N",
            defaultValue = "1000",
            description = "show at most this many (default: 1000)")
    private String max;

    @Option(names = "--json", description = "print one JSON object per dead letter, with its body")
    private boolean json;

    private int most;

    private boolean isJson() {
        return json || dead.isJson();
    }

    @Override
    void check() {
        most = (int) Math.min(SizeText.parseCount(max), Integer.MAX_VALUE);
        if (most == 0) {
            throw new IllegalArgumentException("--max 0 shows none; use 1 or more");
        }
    }

    @Override
    int call(Slipring slipring) throws IOException {
        Table table = new Table("stage", "id", "attempts", "failed at", "worker", "error", "body");
        DeadLetters letters =
                new DeadLetters(dead.stages(slipring), (int) Math.min(PAGE, most + 1L));
        int shown = 0;
        for (; shown < most && letters.hasNext(); shown++) {
            show(letters.next(), table);
        }
        if (shown == 0 && !isJson()) {
            streams().say("no dead letters");
        } else if (!isJson()) {
            streams().print(String.join("\n", table.lines()));
        }
        if (letters.hasNext()) {
            streams().say("there are more than these; see --max");
        }
        return 0;
    }

    /** Prints one, or puts it into the table. */
    private void show(DeadLetter letter, Table table) throws IOException {
        if (isJson()) {
            Json.line(streams().out(), out -> MessageFields.write(out, letter));
        } else {
            row(table, letter);
        }
    }

    private static void row(Table table, DeadLetter letter) {
        table.row(
                letter.stage(),
                letter.id(),
                letter.delivery().attempt(),
                letter.failedAt(),
                PrintableText.of(letter.worker()),
                shown(letter.error()),
                shown(letter.delivery().text()));
    }

    /** The beginning of a text, without what would move the cursor. */
    private static String shown(String text) {
        String line = PrintableText.of(String.valueOf(text));
        return line.length() <= SHOWN ? line : line.substring(0, SHOWN - 3) + "...";
    }
}
