// SPDX-License-Identifier: Apache-2.0
package dev.slipring.cli;

import com.fasterxml.jackson.core.JsonGenerator;

import dev.slipring.DeadLetter;
import dev.slipring.Slipring;
import dev.slipring.Stage;
import dev.slipring.cli.show.Json;
import dev.slipring.cli.show.Table;
import dev.slipring.cli.stream.JsonForm;
import dev.slipring.cli.text.PrintableText;
import dev.slipring.cli.text.SizeText;

import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParentCommand;

import java.io.IOException;
import java.util.List;

/** {@code slipring dead RING ls}: shows dead letters. */
@Command(name = "ls", description = "Show the dead letters of the stage, or of all stages.")
final class DeadLsCommand extends StoreCommand {

    private static final int SHOWN = 60;

    @ParentCommand private DeadCommand dead;

    @Option(
            names = "--max",
            paramLabel = "N",
            defaultValue = "1000",
            description = "show at most so many (1000)")
    private String max;

    private int most;

    /** The last that was shown of the stage that was shown last; null for none. */
    private String last;

    @Option(names = "--json", description = "print one JSON object per dead letter, with its body")
    private boolean json;

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
        int shown = 0;
        boolean all = true;
        for (Stage stage : dead.stages(slipring)) {
            shown += show(stage, most - shown, table);
            all &= shown < most || stage.deadLettersBehind(last, 1).isEmpty();
        }
        if (shown == 0 && !isJson()) {
            streams().say("no dead letters");
        } else if (!isJson()) {
            streams().print(String.join("\n", table.lines()));
        }
        if (!all) {
            streams().say("there are more than these; see --max");
        }
        return 0;
    }

    /** Shows those of a stage, or puts them into the table; returns how many. */
    private int show(Stage stage, int limit, Table table) throws IOException {
        int shown = 0;
        last = null;
        while (shown < limit) {
            List<DeadLetter> letters = stage.deadLettersBehind(last, limit - shown);
            if (letters.isEmpty()) {
                break;
            }
            for (DeadLetter letter : letters) {
                if (isJson()) {
                    Json.line(streams().out(), out -> fields(out, letter));
                } else {
                    row(table, letter);
                }
            }
            shown += letters.size();
            last = letters.get(letters.size() - 1).id();
        }
        return shown;
    }

    private static void fields(JsonGenerator out, DeadLetter letter) throws IOException {
        out.writeStringField("stage", letter.stage());
        JsonForm.fields(out, letter.delivery());
        out.writeStringField("error", letter.error());
        out.writeStringField("worker", letter.worker());
        out.writeStringField("failed_at", letter.failedAt().toString());
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
