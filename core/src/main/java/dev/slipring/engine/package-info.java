// SPDX-License-Identifier: Apache-2.0
/**
 * The seam between the ring and a database: what an engine supplies, and the plain data that
 * crosses.
 *
 * <p>An {@link dev.slipring.engine.Engine} is found by {@link java.util.ServiceLoader} and opens a
 * {@link dev.slipring.engine.Store}. A store keeps the ten promises in its own way; engines whose
 * transactions can be driven from Java get them from {@code dev.slipring.ledger}. Whether it does
 * is what the kit finds out.
 */
package dev.slipring.engine;
