// SPDX-License-Identifier: Apache-2.0
package dev.slipring.cli;

import dev.slipring.cli.show.Json;
import dev.slipring.cli.show.Table;
import dev.slipring.cli.text.DurationText;
import dev.slipring.engine.Engines;
import dev.slipring.engine.Opening;
import dev.slipring.engine.Waits;
import dev.slipring.engine.Waits.Wait;

import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

import java.io.IOException;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;

/** {@code slipring waits}: where a server's time goes. */
@Command(
        name = "waits",
        description = {
            "Show what the threads of a server wait for.",
            "Reads the server's own figures over some seconds: performance_schema of MariaDB"
                    + " and MySQL, samples of pg_stat_activity of PostgreSQL, waits, latches and"
                    + " spinlocks of SQL Server."
        })
final class WaitsCommand implements Callable<Integer> {

    private static final Comparator<Wait> COSTLY_FIRST =
            Comparator.comparing(WaitsCommand::time)
                    .thenComparing(Wait::count)
                    .reversed()
                    .thenComparing(Wait::name);

    @Spec private CommandSpec spec;

    @Option(
            names = "--seconds",
            paramLabel = "S",
            defaultValue = "5",
            description = "how long to watch (default: ${DEFAULT-VALUE})")
    private String seconds;

    @Option(
            names = "--top",
            paramLabel = "N",
            defaultValue = "10",
            description = "how many to show of each kind (default: ${DEFAULT-VALUE})")
    private int top;

    @Option(names = "--json", description = "print one JSON object per line")
    private boolean json;

    @Override
    public Integer call() throws Exception {
        Main main = Main.of(spec);
        Duration interval = DurationText.parseWait(seconds);
        if (top < 1) {
            throw new IllegalArgumentException("--top " + top + ": show at least 1");
        }
        if (interval.isZero() || interval.compareTo(Duration.ofHours(1)) > 0) {
            throw new IllegalArgumentException(
                    "--seconds " + seconds + ": watch more than nothing, and an hour at most");
        }
        try (Waits waits = Engines.byUrl(main.url()).waits(Opening.of(main.url()))) {
            show(main.streams(), waits.over(interval));
        }
        return 0;
    }

    private static Duration time(Wait wait) {
        return wait.time() == null ? Duration.ZERO : wait.time();
    }

    private void show(Streams streams, List<Wait> all) throws IOException {
        Table table = new Table("kind", "name", "count", "ms", "signal ms");
        for (String kind : all.stream().map(Wait::kind).distinct().toList()) {
            List<Wait> most =
                    all.stream()
                            .filter(wait -> wait.kind().equals(kind))
                            .sorted(COSTLY_FIRST)
                            .limit(top)
                            .toList();
            for (Wait wait : most) {
                if (json) {
                    streams.print(line(wait));
                } else {
                    table.row(
                            wait.kind(),
                            wait.name(),
                            wait.count(),
                            millis(wait.time()),
                            millis(wait.signal()));
                }
            }
        }
        if (all.isEmpty()) {
            streams.say("nothing was waited for");
        } else if (!json) {
            streams.print(String.join("\n", table.lines()));
        }
    }

    private static String millis(Duration time) {
        return time == null ? "-" : String.format(Locale.ROOT, "%.1f", time.toNanos() / 1e6);
    }

    private static String line(Wait wait) throws IOException {
        return Json.line(
                out -> {
                    out.writeStringField("kind", wait.kind());
                    out.writeStringField("name", wait.name());
                    out.writeNumberField("count", wait.count());
                    Json.millis(out, "ms", wait.time());
                    Json.millis(out, "signal_ms", wait.signal());
                });
    }
}
