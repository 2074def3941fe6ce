// SPDX-License-Identifier: Apache-2.0
package dev.slipring.cli;

import dev.slipring.Slipring;
import dev.slipring.Stage;

import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.ParentCommand;

import java.util.List;

/** {@code slipring dead RING retry}: hands dead letters out again. */
@Command(name = "retry", description = "Hand dead letters out again, with all their attempts.")
final class DeadRetryCommand extends StoreCommand {

    @ParentCommand private DeadCommand dead;

    @Parameters(
            arity = "0..*",
            paramLabel = "ID",
            description = "which ones, like 0-17; all if none is said")
    private String[] ids = {};

    @Override
    int call(Slipring slipring) {
        Stage stage = dead.stage(slipring);
        long retried = ids.length == 0 ? stage.retryAllDead() : stage.retryDead(List.of(ids));
        streams().say(dead.touched(ids, retried) + " handed out again");
        return 0;
    }
}
