// SPDX-License-Identifier: Apache-2.0
/**
 * Random steps on a ring, and an oracle that keeps a plain account of every message: on the memory
 * engine as a simulation, on the others in two open stores.
 */
package dev.slipring.kit.steps;
