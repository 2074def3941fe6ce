// SPDX-License-Identifier: Apache-2.0
package dev.slipring.cli;

import dev.slipring.Slipring;

import picocli.CommandLine.Command;

/** {@code slipring stage RING pause}: a stage hands out nothing more. */
@Command(
        name = "pause",
        description = {
            "Hand out no more messages of a stage.",
            "This holds for all processes; what is in hand may be finished."
        })
final class StagePauseCommand extends OfStage {

    @Override
    int call(Slipring slipring) {
        stage(slipring).pause();
        return say("paused");
    }
}
