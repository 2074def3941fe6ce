// SPDX-License-Identifier: Apache-2.0
package dev.slipring.cli;

import picocli.CommandLine.IParameterPreprocessor;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.CommandSpec;

import java.util.Map;
import java.util.Stack;

/**
 * Takes the first word after a command with subcommands as the ring's name, so that a ring may have
 * the name of a subcommand.
 */
final class RingFirst implements IParameterPreprocessor {

    @Override
    public boolean preprocess(
            Stack<String> args, CommandSpec spec, ArgSpec arg, Map<String, Object> info) {
        if (!args.isEmpty()
                && !args.peek().startsWith("-")
                && spec.userObject() instanceof OfRing command) {
            command.first(args.pop());
        }
        return false;
    }
}
