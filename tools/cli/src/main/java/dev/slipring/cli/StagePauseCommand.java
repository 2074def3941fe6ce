// SPDX-License-Identifier: Apache-2.0
package dev.slipring.cli;

import dev.slipring.Slipring;

import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.ParentCommand;

/** {@code slipring stage RING pause}: a stage hands out nothing more. */
@Command(
        name = "pause",
        description = {
            "Hand out no more messages of a stage.",
            "This holds for all processes; what is in hand may be finished."
        })
final class StagePauseCommand extends StoreCommand {

    @ParentCommand private StageCommand stages;

    @Parameters(index = "0", paramLabel = "STAGE", description = "the stage's name")
    private String stage;

    @Override
    int call(Slipring slipring) {
        slipring.ring(stages.ring()).stage(stage).pause();
        streams().say("ring " + stages.ring() + ": stage " + stage + " paused");
        return 0;
    }
}
