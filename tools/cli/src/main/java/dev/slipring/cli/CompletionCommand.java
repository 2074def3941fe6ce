// SPDX-License-Identifier: Apache-2.0
package dev.slipring.cli;

import picocli.AutoComplete;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

import java.io.IOException;
import java.util.concurrent.Callable;

/** {@code slipring completion}: prints the completion script for bash and zsh. */
@Command(
        name = "completion",
        description = "Print the completion script for bash and zsh.",
        footer = {"", "  source <(slipring completion)"})
final class CompletionCommand implements Callable<Integer> {

    @Spec private CommandSpec spec;

    @Override
    public Integer call() throws IOException {
        Main main = Main.of(spec);
        main.streams().print(AutoComplete.bash("slipring", spec.root().commandLine()));
        return 0;
    }
}
