// SPDX-License-Identifier: Apache-2.0
package dev.slipring.cli;

import dev.slipring.Slipring;

import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

import java.io.IOException;

/** {@code slipring drop}: removes a ring. */
@Command(name = "drop", description = "Remove a ring with all its messages.")
final class DropCommand extends StoreCommand {

    @Parameters(index = "0", paramLabel = "RING", description = "the ring")
    private String name;

    @Mixin private Consent consent;

    @Override
    int call(Slipring slipring) throws IOException {
        slipring.ring(name);
        if (!consent.given(streams(), "drop ring '" + name + "' with all that it holds", true)) {
            return Failures.FAILED;
        }
        slipring.drop(name);
        streams().say("ring " + name + ": dropped");
        return 0;
    }
}
