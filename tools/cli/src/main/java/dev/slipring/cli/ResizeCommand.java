// SPDX-License-Identifier: Apache-2.0
package dev.slipring.cli;

import dev.slipring.Ring;
import dev.slipring.Slipring;
import dev.slipring.cli.text.SizeText;
import dev.slipring.graph.RingSpec;

import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

import java.io.IOException;

/** {@code slipring resize}: gives a ring another capacity. */
@Command(
        name = "resize",
        description = {
            "Give a ring another capacity.",
            "Its messages stay; if they are more than the new capacity, the ring takes no"
                    + " push until they are less."
        })
final class ResizeCommand extends StoreCommand {

    @Parameters(index = "0", paramLabel = "RING", description = "the ring")
    private String name;

    @Option(
            names = "--messages",
            paramLabel = "N",
            description = "how many messages it holds at most")
    private String messages;

    @Option(
            names = "--bytes",
            paramLabel = "N",
            description = "how many bytes it holds at most, as 512M or 2G")
    private String bytes;

    @Mixin private Consent consent;

    private Long newMessages;
    private Long newBytes;

    @Override
    void check() {
        if (messages == null && bytes == null) {
            throw new IllegalArgumentException(
                    "say the new capacity: --messages N, --bytes N, or both");
        }
        newMessages = messages == null ? null : SizeText.parseCount(messages);
        newBytes = bytes == null ? null : SizeText.parseBytes(bytes);
    }

    @Override
    int call(Slipring slipring) throws IOException {
        Ring ring = slipring.ring(name);
        RingSpec spec = ring.spec();
        spec = newMessages == null ? spec : spec.messages(newMessages);
        spec = newBytes == null ? spec : spec.bytes(newBytes);
        String capacity =
                SizeText.count(spec.messages(), "message")
                        + " and "
                        + SizeText.showBytes(spec.bytes());
        if (!consent.given(streams(), "give ring '" + name + "' room for " + capacity, true)) {
            return Failures.FAILED;
        }
        ring.resize(spec.messages(), spec.bytes());
        streams().say("ring " + name + ": holds at most " + capacity);
        return 0;
    }
}
