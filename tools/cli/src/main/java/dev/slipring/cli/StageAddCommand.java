// SPDX-License-Identifier: Apache-2.0
package dev.slipring.cli;

import dev.slipring.Slipring;
import dev.slipring.cli.text.StageText;
import dev.slipring.cli.text.StartText;
import dev.slipring.graph.Start;

import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.ParentCommand;

/** {@code slipring stage RING add}: a stage joins a living ring. */
@Command(name = "add", description = "Add a stage to a ring, also while it is in use.")
final class StageAddCommand extends StoreCommand {

    @ParentCommand private StageCommand stages;

    @Parameters(index = "0", paramLabel = "STAGE", description = "the stage: " + StageText.FORM)
    private String stage;

    @Option(
            names = "--from",
            paramLabel = "START",
            description =
                    "where it begins: "
                            + StartText.FORM
                            + " (default: oldest, the oldest message still held)")
    private String from;

    private StageText added;
    private Start start;

    @Override
    void check() {
        added = StageText.parse(stage);
        start = StartText.parse(from);
    }

    @Override
    int call(Slipring slipring) {
        slipring.ring(stages.ring()).addStage(added.stage(), added.after(), start);
        streams().say("ring " + stages.ring() + ": stage " + added.stage().name() + " added");
        return 0;
    }
}
