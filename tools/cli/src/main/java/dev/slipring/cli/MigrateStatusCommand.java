// SPDX-License-Identifier: Apache-2.0
package dev.slipring.cli;

import dev.slipring.Options;
import dev.slipring.Schema;
import dev.slipring.Slipring;
import dev.slipring.cli.show.Json;

import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

import java.io.IOException;

/** {@code slipring migrate status}: which version of the schema the store has. */
@Command(
        name = "status",
        description = "Say which version of the schema the store has, without touching it.")
final class MigrateStatusCommand extends StoreCommand {

    @Option(names = "--json", description = "print one JSON object")
    private boolean json;

    @Override
    Options options() {
        return super.options().withoutMigration();
    }

    @Override
    int call(Slipring slipring) throws IOException {
        Schema schema = slipring.schema();
        boolean upToDate = schema.installed() == schema.current();
        boolean missing = schema.installed() == 0;
        if (json) {
            streams()
                    .print(
                            Json.line(
                                    out -> {
                                        out.writeNumberField("installed", schema.installed());
                                        out.writeNumberField("current", schema.current());
                                        out.writeBooleanField("up_to_date", upToDate);
                                    }));
        } else {
            streams()
                    .print(
                            missing
                                    ? "not installed; 'slipring migrate apply' creates it"
                                    : "installed "
                                            + schema.installed()
                                            + ", current "
                                            + schema.current()
                                            + ": "
                                            + (upToDate
                                                    ? "up to date"
                                                    : "'slipring migrate apply' upgrades it"));
        }
        return 0;
    }
}
