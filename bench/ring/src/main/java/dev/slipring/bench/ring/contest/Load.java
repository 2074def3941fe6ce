// SPDX-License-Identifier: Apache-2.0
package dev.slipring.bench.ring.contest;

/**
 * What is sent through a shape.
 *
 * @param messages how many
 * @param capacity how many slots the ring has
 * @param terms how many terms of a series are computed for a message; 0 to add numbers only
 * @param pace the rate at which they are sent; null for as fast as it goes
 */
public record Load(long messages, int capacity, int terms, Pace pace) {

    /** As fast as it goes. */
    public Load(long messages, int capacity, int terms) {
        this(messages, capacity, terms, null);
    }

    /** Waits until a message is due. */
    public void await(long value) {
        if (pace != null) {
            pace.await(value);
        }
    }
}
