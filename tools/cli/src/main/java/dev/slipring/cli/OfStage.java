// SPDX-License-Identifier: Apache-2.0
package dev.slipring.cli;

import dev.slipring.Ring;
import dev.slipring.Slipring;
import dev.slipring.Stage;

import picocli.CommandLine.Parameters;
import picocli.CommandLine.ParentCommand;

/** A command on a stage that is there: {@code slipring stage RING COMMAND STAGE}. */
abstract class OfStage extends StoreCommand {

    @ParentCommand private StageCommand stages;

    @Parameters(index = "0", paramLabel = "STAGE", description = "the stage's name")
    private String name;

    /** The stage's name. */
    final String name() {
        return name;
    }

    final Ring ring(Slipring slipring) {
        return slipring.ring(stages.ring());
    }

    final Stage stage(Slipring slipring) {
        return ring(slipring).stage(name);
    }

    /** Says what became of the stage; returns the exit code for that. */
    final int say(String outcome) {
        streams().say("ring " + stages.ring() + ": stage " + name + " " + outcome);
        return 0;
    }
}
