// SPDX-License-Identifier: Apache-2.0
package dev.slipring.bench.subject;

/** One of the systems that are measured side by side: opens queues of its kind. */
public interface Contender {

    /** A ring, which is what the others are beside. */
    String RING = "slipring";

    /** A table as a queue. */
    String BASELINE = "naive";

    /** The same on PostgreSQL. */
    String SKIP_LOCKED = "skip-locked";

    /** The system whose rows the others of an engine are compared with. */
    static String baseline(String engine) {
        return engine.equals("postgresql") ? SKIP_LOCKED : BASELINE;
    }

    /** The system's name. */
    String system();

    /** How it is set, where the same system is measured twice; empty if it is not. */
    String option();

    /** Names a place where nothing is yet. */
    Place place();

    /** A place that another process named. */
    default Place placed(String name) {
        throw new UnsupportedOperationException(system() + " is used by one process alone");
    }

    /** Opens the queue at a place, as it was left, or makes it. */
    Subject open(Place place, Plan plan) throws Exception;
}
