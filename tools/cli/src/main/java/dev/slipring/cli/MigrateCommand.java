// SPDX-License-Identifier: Apache-2.0
package dev.slipring.cli;

import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code slipring migrate}: the store's schema. */
@Command(
        name = "migrate",
        description = {
            "Show, print, create or upgrade the schema of the store.",
            "'create' and 'push' also create the schema where there is none."
        },
        subcommands = {
            MigrateStatusCommand.class,
            MigratePrintCommand.class,
            MigrateApplyCommand.class
        })
final class MigrateCommand {

    @Option(
            names = "--json",
            description = "print a JSON object; the same as --json behind 'status'")
    private boolean json;

    /** Whether {@code --json} stands in front of the subcommand. */
    boolean isJson() {
        return json;
    }
}
