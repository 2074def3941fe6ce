// SPDX-License-Identifier: Apache-2.0
package dev.slipring.cli;

import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** A command that names a ring, and has subcommands for what is to be done with it. */
abstract class OfRing implements Runnable {

    @Spec private CommandSpec spec;

    @Parameters(index = "0", arity = "0..1", paramLabel = "RING", description = "the ring")
    private String ring;

    final void ring(String name) {
        ring = name;
    }

    /** The ring's name. */
    final String ring() {
        if (ring == null) {
            throw new ParameterException(spec.commandLine(), "Missing required parameter: 'RING'");
        }
        return ring;
    }

    @Override
    public final void run() {
        throw new ParameterException(
                spec.commandLine(),
                "Missing what to do: one of " + String.join(", ", spec.subcommands().keySet()));
    }
}
