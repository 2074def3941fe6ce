// SPDX-License-Identifier: Apache-2.0
/**
 * Engine zero: rings in the memory of one process, by the same rules as on every other engine. For
 * tests, for use between threads, and for simulation with a clock that moves by hand. Nothing
 * survives the process.
 */
package dev.slipring.memory;
