// SPDX-License-Identifier: Apache-2.0
package dev.slipring;

import java.util.function.BooleanSupplier;

/** What a worker does with a claim: handles it, and says what became of all that is left. */
interface ClaimHandler {

    /**
     * Handles a claim.
     *
     * @param stopping whether to finish what is begun and give back the rest
     * @return the word on what is left of the claim
     */
    Word handle(Claim claim, BooleanSupplier stopping);
}
