// SPDX-License-Identifier: Apache-2.0
package dev.slipring.bench.ring.contest;

/**
 * What is sent through a shape.
 *
 * @param messages how many
 * @param capacity how many slots the ring has
 * @param terms how many terms of a series are computed for a message; 0 to add numbers only
 */
public record Load(long messages, int capacity, int terms) {}
