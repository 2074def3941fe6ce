// SPDX-License-Identifier: Apache-2.0
package dev.slipring.postgresql;

import dev.slipring.engine.Claimed;
import dev.slipring.engine.Settled;

/**
 * What a claim came to.
 *
 * @param claimed the claim, or nothing
 * @param busy a lane that others work on, to wait for; null if there is none
 * @param expires when the lease runs out, in milliseconds since 1970 by the database's clock
 * @param foreignBytes how many bytes the slots have that others pushed
 */
record Taken(Claimed claimed, Integer busy, long expires, long foreignBytes) {

    /** The same behind the answer to a word. */
    Taken behind(Settled settled) {
        return new Taken(claimed.behind(settled), busy, expires, foreignBytes);
    }
}
