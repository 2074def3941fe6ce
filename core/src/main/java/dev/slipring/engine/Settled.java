// SPDX-License-Identifier: Apache-2.0
package dev.slipring.engine;

/**
 * What a settlement did.
 *
 * @param left how many messages of the claim are still with the worker
 * @param dead how many of those that failed are dead now
 */
public record Settled(int left, int dead) {}
