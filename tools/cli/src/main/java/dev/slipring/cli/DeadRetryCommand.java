// SPDX-License-Identifier: Apache-2.0
package dev.slipring.cli;

import dev.slipring.Slipring;
import dev.slipring.Stage;

import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.ParentCommand;

import java.util.List;

/** {@code slipring dead RING retry}: hands dead letters out again. */
@Command(
        name = "retry",
        description = "Hand dead letters out again. Their attempts are counted from one again.")
final class DeadRetryCommand extends StoreCommand {

    @ParentCommand private DeadCommand dead;

    @Parameters(
            arity = "0..*",
            paramLabel = "ID",
            description = "the ids of dead letters, like 0-17; all if none is named")
    private String[] ids = {};

    @Override
    int call(Slipring slipring) {
        Stage stage = dead.stage(slipring);
        long retried = ids.length == 0 ? stage.retryAllDead() : stage.retryDead(List.of(ids));
        streams().say(dead.touched(ids, retried) + " handed out again");
        return 0;
    }
}
