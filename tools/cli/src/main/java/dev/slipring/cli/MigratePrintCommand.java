// SPDX-License-Identifier: Apache-2.0
package dev.slipring.cli;

import dev.slipring.engine.Engines;

import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

import java.io.IOException;
import java.util.concurrent.Callable;

/** {@code slipring migrate print}: the SQL of the schema. */
@Command(
        name = "print",
        description = {
            "Print the SQL that creates the schema of this version.",
            "The store is not looked at, and need not exist."
        })
final class MigratePrintCommand implements Callable<Integer> {

    @Spec private CommandSpec spec;

    @Override
    public Integer call() throws IOException {
        Main main = Main.of(spec);
        for (String script : Engines.byUrl(main.url()).scripts(main.url())) {
            main.streams().print(script.stripTrailing());
        }
        return 0;
    }
}
