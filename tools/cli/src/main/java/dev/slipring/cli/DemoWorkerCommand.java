// SPDX-License-Identifier: Apache-2.0
package dev.slipring.cli;

import dev.slipring.Slipring;
import dev.slipring.cli.demo.DoomedProcess;

import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;

/** The worker of the demonstration that is killed, in a process of its own. */
@Command(
        name = "demo-worker",
        hidden = true,
        description = "The worker of the demo that is killed.")
final class DemoWorkerCommand extends StoreCommand {

    @Parameters(index = "0", paramLabel = "RING", description = "the ring")
    private String ring;

    @Parameters(index = "1", paramLabel = "STAGE", description = "the stage")
    private String stage;

    @Override
    int call(Slipring slipring) throws IOException {
        PrintStream says = new PrintStream(streams().out(), true, StandardCharsets.UTF_8);
        DoomedProcess.work(slipring.ring(ring).stage(stage), streams().in(), says);
        return 0;
    }
}
