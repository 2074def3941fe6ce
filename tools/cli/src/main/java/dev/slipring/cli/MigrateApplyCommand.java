// SPDX-License-Identifier: Apache-2.0
package dev.slipring.cli;

import dev.slipring.Slipring;

import picocli.CommandLine.Command;

/** {@code slipring migrate apply}: makes or upgrades the schema. */
@Command(name = "apply", description = "Create the schema, or upgrade it to the current version.")
final class MigrateApplyCommand extends StoreCommand {

    @Override
    int call(Slipring slipring) {
        // Opening the store has done it.
        streams().say("the schema is at version " + slipring.schema().installed());
        return 0;
    }

    @Override
    boolean makesStore() {
        return true;
    }
}
