// SPDX-License-Identifier: Apache-2.0
package dev.slipring.cli;

import picocli.CommandLine.Command;

/** {@code slipring migrate}: the store's schema. */
@Command(
        name = "migrate",
        description =
                "The store's schema: which version it has, what would make it, and making it."
                        + " 'create' and 'push' make it by themselves where there is none.",
        subcommands = {
            MigrateStatusCommand.class,
            MigratePrintCommand.class,
            MigrateApplyCommand.class
        })
final class MigrateCommand {}
