// SPDX-License-Identifier: Apache-2.0
package dev.slipring.bench.ring.contest;

/** A system that is measured, with one way of waiting. */
public interface Contestant {

    /** The system, and how it waits, as {@code disruptor-yielding}. */
    String name();

    /** Whether the system can run a shape. */
    boolean can(Shape shape);

    /**
     * Builds the shape, sends the load through it, and ends its threads.
     *
     * @return nanoseconds from when the first message was published to when the last one was done,
     *     and the checksums
     */
    Outcome run(Shape shape, Load load) throws Exception;
}
