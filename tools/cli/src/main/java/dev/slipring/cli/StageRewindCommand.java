// SPDX-License-Identifier: Apache-2.0
package dev.slipring.cli;

import dev.slipring.Slipring;
import dev.slipring.cli.text.SizeText;
import dev.slipring.cli.text.StartText;
import dev.slipring.graph.Start;

import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code slipring stage RING rewind}: a stage sees again what the ring still holds. */
@Command(
        name = "rewind",
        description = {
            "Hand out again what the ring still holds.",
            "The stages that follow do not rewind."
        })
final class StageRewindCommand extends OfStage {

    @Option(
            names = {"--to", "--from"},
            paramLabel = "START",
            description =
                    "where it begins: oldest, a time (2026-01-31T12:00:00Z, or local without the"
                        + " Z), or how long ago (10m) (default: oldest, the oldest message still"
                        + " held)")
    private String to;

    private Start start;

    @Override
    void check() {
        start = StartText.parse(to);
    }

    @Override
    int call(Slipring slipring) {
        long again = stage(slipring).rewind(start);
        return say("sees " + SizeText.count(again, "message") + " again");
    }
}
