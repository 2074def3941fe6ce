// SPDX-License-Identifier: Apache-2.0
package dev.slipring.cli;

import dev.slipring.Slipring;
import dev.slipring.Stage;

import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.ParentCommand;

import java.io.IOException;
import java.util.List;

/** {@code slipring dead RING drop}: forgets dead letters. */
@Command(name = "drop", description = "Remove dead letters for good. Asks on a terminal.")
final class DeadDropCommand extends StoreCommand {

    @ParentCommand private DeadCommand dead;

    @Parameters(
            arity = "0..*",
            paramLabel = "ID",
            description = "the ids of dead letters, like 0-17; all if none is named")
    private String[] ids = {};

    @Mixin private Consent consent;

    @Override
    int call(Slipring slipring) throws IOException {
        Stage stage = dead.stage(slipring);
        String which =
                ids.length == 0 ? "all dead letters" : "dead letters " + String.join(", ", ids);
        String what =
                "drop " + which + " of stage '" + stage.name() + "' of ring '" + dead.ring() + "'";
        if (!consent.given(streams(), what, false)) {
            return Failures.FAILED;
        }
        long dropped = ids.length == 0 ? stage.dropAllDead() : stage.dropDead(List.of(ids));
        streams().say(dead.touched(ids, dropped) + " dropped");
        return 0;
    }
}
