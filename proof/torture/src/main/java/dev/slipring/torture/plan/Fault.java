// SPDX-License-Identifier: Apache-2.0
package dev.slipring.torture.plan;

/**
 * A fault of the plan.
 *
 * @param atMillis when, from the begin
 * @param kind what
 * @param choice which of those that it can hit, as a number to be taken modulo how many there are
 * @param millis for how long, where it has an end
 */
public record Fault(long atMillis, Kind kind, int choice, long millis) {}
