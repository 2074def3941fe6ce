// SPDX-License-Identifier: Apache-2.0
package dev.slipring.cli;

import dev.slipring.Slipring;

import picocli.CommandLine.Command;

/** {@code slipring stage RING resume}: a paused stage hands out again. */
@Command(name = "resume", description = "Hand out messages of a paused stage again.")
final class StageResumeCommand extends OfStage {

    @Override
    int call(Slipring slipring) {
        stage(slipring).resume();
        return say("resumed");
    }
}
