// SPDX-License-Identifier: Apache-2.0
package dev.slipring.engine;

/**
 * Names a claim in its ring.
 *
 * @param stage the stage
 * @param lane the lane
 * @param epoch the fencing number: grows with each claim of the stage in the lane, never used again
 * @param retry whether its messages had been set aside
 */
public record Ticket(String stage, int lane, long epoch, boolean retry) {}
