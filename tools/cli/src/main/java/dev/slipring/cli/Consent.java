// SPDX-License-Identifier: Apache-2.0
package dev.slipring.cli;

import picocli.CommandLine.Option;

import java.io.IOException;

/** The user's consent to what cannot be undone: an option, or an answer on a terminal. */
final class Consent {

    @Option(
            names = {"-y", "--yes"},
            description =
                    "do it without asking; needed where there is no terminal to ask on ('stage rm'"
                        + " needs it only if messages go with the stage, 'dead drop' never)")
    private boolean yes;

    /**
     * Whether it may be done.
     *
     * @param what what is to be done, as in "drop ring 'orders'"
     * @param needed whether it needs the option where nobody can be asked
     */
    boolean given(Streams streams, String what, boolean needed) throws IOException {
        if (yes) {
            return true;
        }
        if (streams.canAsk()) {
            boolean answer = streams.ask(what + "?");
            if (!answer) {
                streams.say("nothing was done");
            }
            return answer;
        }
        if (needed) {
            throw new IllegalArgumentException(
                    "to " + what + " add --yes: there is no terminal to ask on");
        }
        return true;
    }
}
