// SPDX-License-Identifier: Apache-2.0
package dev.slipring.cli;

import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** A command that names a ring, and has subcommands that say what to do with it. */
abstract class OfRing implements Runnable {

    @Spec private CommandSpec spec;

    @Parameters(index = "0", arity = "0..1", paramLabel = "RING", description = "the ring")
    private String ring;

    @Option(names = "--json", description = "print JSON objects; the same as --json behind 'ls'")
    private boolean json;

    /**
     * The ring's name if it stands in front of the subcommand. Then {@code ring} is what follows
     * it, if that is no subcommand.
     */
    private String first;

    final void first(String name) {
        first = name;
    }

    /** Whether {@code --json} stands in front of the subcommand. */
    final boolean isJson() {
        return json;
    }

    /** The ring's name. */
    final String ring() {
        if (first == null && ring == null) {
            throw new ParameterException(spec.commandLine(), "Missing required parameter: 'RING'");
        }
        return first != null ? first : ring;
    }

    @Override
    public final void run() {
        String known = "one of " + String.join(", ", spec.subcommands().keySet());
        throw new ParameterException(
                spec.commandLine(),
                first != null && ring != null
                        ? "no command '" + ring + "'; say " + known
                        : "say what to do with the ring: " + known);
    }
}
