// SPDX-License-Identifier: Apache-2.0
package dev.slipring.cli;

import dev.slipring.Options;
import dev.slipring.Slipring;

import picocli.CommandLine.Command;

import java.io.IOException;

/** {@code slipring migrate print}: the SQL of the schema. */
@Command(
        name = "print",
        description =
                "Print the scripts that make the schema, from nothing to the current version.")
final class MigratePrintCommand extends StoreCommand {

    @Override
    Options options() {
        return super.options().withoutMigration();
    }

    @Override
    int call(Slipring slipring) throws IOException {
        for (String script : slipring.schema().scripts()) {
            streams().print(script.stripTrailing());
        }
        return 0;
    }

    @Override
    boolean makesStore() {
        return true;
    }
}
