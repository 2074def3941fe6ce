// SPDX-License-Identifier: Apache-2.0
package dev.slipring.cli;

import dev.slipring.NewerSchema;
import dev.slipring.Options;
import dev.slipring.Schema;
import dev.slipring.Slipring;
import dev.slipring.cli.show.Json;

import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParentCommand;

import java.io.IOException;

/** {@code slipring migrate status}: which version of the schema the store has. */
@Command(
        name = "status",
        description = "Say which version of the schema the store has, without touching it.")
final class MigrateStatusCommand extends StoreCommand {

    @ParentCommand private MigrateCommand migrate;

    @Option(names = "--json", description = "print one JSON object")
    private boolean json;

    @Override
    Options options() {
        return super.options().withoutMigration();
    }

    @Override
    public Integer call() throws Exception {
        try {
            return super.call();
        } catch (NewerSchema newer) {
            // The store is not opened, but the error knows the version.
            if (isJson()) {
                print(newer.installed(), newer.current());
            }
            throw newer;
        }
    }

    @Override
    int call(Slipring slipring) throws IOException {
        Schema schema = slipring.schema();
        if (isJson()) {
            print(schema.installed(), schema.current());
            return 0;
        }
        boolean upToDate = schema.installed() == schema.current();
        streams()
                .print(
                        schema.installed() == 0
                                ? "not installed; 'slipring migrate apply' creates it"
                                : "installed "
                                        + schema.installed()
                                        + ", current "
                                        + schema.current()
                                        + ": "
                                        + (upToDate
                                                ? "up to date"
                                                : "'slipring migrate apply' upgrades it"));
        return 0;
    }

    private boolean isJson() {
        return json || migrate.isJson();
    }

    private void print(int installed, int current) throws IOException {
        streams()
                .print(
                        Json.line(
                                out -> {
                                    out.writeNumberField("installed", installed);
                                    out.writeNumberField("current", current);
                                    out.writeBooleanField("up_to_date", installed == current);
                                }));
    }
}
