// SPDX-License-Identifier: Apache-2.0
/**
 * The shape of a ring: its lanes, its capacity, its stages and which stage follows which.
 *
 * <p>A shape is declared once with {@link dev.slipring.graph.RingSpec}, kept with the ring in its
 * store, and compared when the ring is created again. Everything here is immutable.
 */
package dev.slipring.graph;
