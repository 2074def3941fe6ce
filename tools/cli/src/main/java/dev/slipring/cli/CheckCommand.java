// SPDX-License-Identifier: Apache-2.0
package dev.slipring.cli;

import dev.slipring.RingBroken;
import dev.slipring.Slipring;
import dev.slipring.cli.show.Json;
import dev.slipring.graph.PrintableText;

import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

import java.io.IOException;
import java.util.List;

/** {@code slipring check}: verifies a ring in its store. */
@Command(
        name = "check",
        description = {
            "Verify the invariants of a ring in its store.",
            "If one is broken, says which, and ends with exit code 1."
        })
final class CheckCommand extends StoreCommand {

    @Parameters(index = "0", paramLabel = "RING", description = "the ring")
    private String name;

    @Option(names = "--json", description = "print one JSON object")
    private boolean json;

    @Override
    int call(Slipring slipring) throws IOException {
        List<String> broken = broken(slipring);
        if (json) {
            streams()
                    .print(
                            Json.line(
                                    out -> {
                                        out.writeStringField("ring", name);
                                        out.writeBooleanField("ok", broken.isEmpty());
                                        Json.strings(out, "broken", broken);
                                    }));
        } else if (broken.isEmpty()) {
            streams().print("ring " + name + ": ok");
        } else {
            for (String finding : broken) {
                streams().print("ring " + name + ": " + PrintableText.of(finding));
            }
        }
        return broken.isEmpty() ? 0 : Failures.FAILED;
    }

    private List<String> broken(Slipring slipring) {
        try {
            return slipring.ring(name).check();
        } catch (RingBroken broken) {
            return List.of(broken.what());
        }
    }
}
