// SPDX-License-Identifier: Apache-2.0
package dev.slipring.postgresql;

import dev.slipring.engine.Claimed;

/**
 * What a claim came to.
 *
 * @param claimed the claim, or nothing
 * @param busy a lane that others work on, to wait for; null if there is none
 * @param expires when the lease runs out, in milliseconds since 1970 by the database's clock
 */
record Taken(Claimed claimed, Integer busy, long expires) {}
