// SPDX-License-Identifier: Apache-2.0
package dev.slipring.cli;

import dev.slipring.Slipring;

import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.ParentCommand;

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
        long retried = dead.stage(slipring).retryDead(ids);
        streams().say(DeadDropCommand.words(dead, ids, retried) + " handed out again");
        return 0;
    }
}
