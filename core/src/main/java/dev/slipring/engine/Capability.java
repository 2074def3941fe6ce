// SPDX-License-Identifier: Apache-2.0
package dev.slipring.engine;

/** What a store may or may not be able to do. The kit skips a test by these and by nothing else. */
public enum Capability {
    /** What was pushed survives the end of the process. */
    DURABLE,
    /** Several processes may use the store at once. */
    SHARED,
    /** Push, done, fail and extend can take part in a caller's JDBC transaction. */
    JOIN,
    /** A caller's transaction in one lane leaves the others to everybody else. Needs JOIN. */
    LANES,
    /**
     * The store's time is the clock it was opened with, so that a test can move it. Processes on
     * several machines have no such clock in common.
     */
    CLOCK
}
