// SPDX-License-Identifier: Apache-2.0
package dev.slipring.cli;

import picocli.CommandLine.Help;
import picocli.CommandLine.Model.CommandSpec;

/** Help that says where a ring's name stands: in front of what is to be done with the ring. */
final class RingHelp extends Help {

    RingHelp(CommandSpec spec, ColorScheme scheme) {
        super(spec, scheme);
    }

    @Override
    public String synopsis(int headingLength) {
        String synopsis = super.synopsis(headingLength);
        CommandSpec above = commandSpec().parent();
        if (above == null || !(above.userObject() instanceof OfRing)) {
            return synopsis;
        }
        String behind = above.qualifiedName() + " ";
        return synopsis.replaceFirst(behind, behind + "RING ");
    }
}
