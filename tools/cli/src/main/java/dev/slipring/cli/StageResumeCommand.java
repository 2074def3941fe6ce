// SPDX-License-Identifier: Apache-2.0
package dev.slipring.cli;

import dev.slipring.Slipring;

import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.ParentCommand;

/** {@code slipring stage RING resume}: a paused stage hands out again. */
@Command(name = "resume", description = "Hand out messages of a paused stage again.")
final class StageResumeCommand extends StoreCommand {

    @ParentCommand private StageCommand stages;

    @Parameters(index = "0", paramLabel = "STAGE", description = "the stage's name")
    private String stage;

    @Override
    int call(Slipring slipring) {
        slipring.ring(stages.ring()).stage(stage).resume();
        streams().say("ring " + stages.ring() + ": stage " + stage + " resumed");
        return 0;
    }
}
