// SPDX-License-Identifier: Apache-2.0
package dev.slipring.cli;

import dev.slipring.Options;
import dev.slipring.Slipring;

import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

import java.io.IOException;
import java.util.concurrent.Callable;

/** A command that works on a store: opens it, works, closes it. */
abstract class StoreCommand implements Callable<Integer> {

    @Spec private CommandSpec spec;

    /** Refuses wrong arguments and options, before a store is opened or created for the command. */
    void check() {}

    /** Works on the open store; returns the exit code. */
    abstract int call(Slipring slipring) throws IOException;

    @Override
    public Integer call() throws Exception {
        refuseStrayJson();
        check();
        try (Slipring slipring = Slipring.open(options())) {
            return call(slipring);
        }
    }

    /** Refuses {@code --json} in front of a subcommand that does not have this option. */
    private void refuseStrayJson() {
        OptionSpec json = spec.parent() == null ? null : spec.parent().findOption("--json");
        if (json != null
                && Boolean.TRUE.equals(json.getValue())
                && spec.findOption("--json") == null) {
            throw new ParameterException(spec.commandLine(), "Unknown option: '--json'");
        }
    }

    /** How the store is opened. */
    Options options() {
        String url = main().url();
        if (url.startsWith("memory:")) {
            throw new IllegalArgumentException(
                    "'"
                            + url
                            + "' ends with the command, so nothing would be left; "
                            + "only demo and bench take it: name a store, like sqlite:FILE");
        }
        return makesStore() ? Options.url(url) : Options.url(url).existingOnly();
    }

    /** Whether the command creates a store that is not there yet. */
    boolean makesStore() {
        return false;
    }

    final Main main() {
        return Main.of(spec);
    }

    final Streams streams() {
        return main().streams();
    }
}
