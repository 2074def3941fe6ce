// SPDX-License-Identifier: Apache-2.0
package dev.slipring.bench.ring.contest;

/** A slot: a number, and what a stage makes of it. */
public final class Event {

    /** From 0 up; negative for the end. */
    public long value;

    /** What a stage in the middle computed. */
    public double result;
}
