// SPDX-License-Identifier: Apache-2.0
package dev.slipring;

import dev.slipring.graph.Mode;

/**
 * A claim of a stage that was made anew under its name with the other mode, while workers who were
 * chosen for the old one were at work: they have no way to handle it.
 */
final class MadeAnew extends SlipringException {

    private static final long serialVersionUID = 1;

    private MadeAnew(Claim claim) {
        super(
                "stage '"
                        + claim.ticket().stage()
                        + "' was made anew as "
                        + (claim.mode() == Mode.ORDERED ? "an ordered one" : "a pool")
                        + "; its workers end");
    }

    /** Gives a claim of another mode than its workers were chosen for back, and refuses it. */
    static void refuse(Claim claim, Mode chosen) {
        if (claim.mode() != chosen) {
            // Where it cannot be given back either, its lease runs out.
            try (claim) {
                throw new MadeAnew(claim);
            }
        }
    }
}
