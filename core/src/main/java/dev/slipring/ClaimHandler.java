// SPDX-License-Identifier: Apache-2.0
package dev.slipring;

import java.util.function.BooleanSupplier;

/** What a worker does with a claim: handles it and settles all of it. */
interface ClaimHandler {

    /**
     * Handles a claim.
     *
     * @param stopping whether to finish what is begun and give back the rest
     */
    void handle(Claim claim, BooleanSupplier stopping);

    /** What a failure says, for people. */
    static String words(Throwable error) {
        String words = error.toString();
        return words.length() <= 2_000 ? words : words.substring(0, 2_000) + "...";
    }
}
