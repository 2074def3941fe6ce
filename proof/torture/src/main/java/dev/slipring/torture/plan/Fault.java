// SPDX-License-Identifier: Apache-2.0
package dev.slipring.torture.plan;

/**
 * One fault of a plan.
 *
 * @param atMillis when it happens, in milliseconds from the start
 * @param kind its kind
 * @param choice what it hits: a number that is taken modulo the number of things that it can hit
 * @param millis how long it lasts, if it lasts
 */
public record Fault(long atMillis, Kind kind, int choice, long millis) {}
