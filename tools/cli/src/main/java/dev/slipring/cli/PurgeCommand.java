// SPDX-License-Identifier: Apache-2.0
package dev.slipring.cli;

import dev.slipring.Ring;
import dev.slipring.Slipring;
import dev.slipring.cli.text.SizeText;

import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

import java.io.IOException;

/** {@code slipring purge}: empties a ring. */
@Command(
        name = "purge",
        description = {
            "Remove all messages of a ring, but not the ring.",
            "Messages in hand, set aside or dead are removed too."
        })
final class PurgeCommand extends StoreCommand {

    @Parameters(index = "0", paramLabel = "RING", description = "the ring")
    private String name;

    @Mixin private Consent consent;

    @Override
    int call(Slipring slipring) throws IOException {
        Ring ring = slipring.ring(name);
        if (!consent.given(streams(), "remove all messages of ring '" + name + "'", true)) {
            return Failures.FAILED;
        }
        streams().say("ring " + name + ": " + SizeText.count(ring.purge(), "message") + " removed");
        return 0;
    }
}
