// SPDX-License-Identifier: Apache-2.0
/**
 * The kit: the ten promises as one suite of tests, the same for every engine.
 *
 * <p>An engine's test extends {@link dev.slipring.kit.Kit} and supplies a {@link
 * dev.slipring.kit.Testbed}. A test is skipped only if it needs a {@link
 * dev.slipring.engine.Capability} that the engine does not declare. After each test every ring must
 * pass its own check.
 */
package dev.slipring.kit;
