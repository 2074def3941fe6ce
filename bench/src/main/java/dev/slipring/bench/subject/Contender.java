// SPDX-License-Identifier: Apache-2.0
package dev.slipring.bench.subject;

/** One of the systems that are measured side by side: opens queues of its kind. */
public interface Contender {

    /** The name of the ring, beside which the others are measured. */
    String RING = "slipring";

    /** The name of the baseline: a table as a queue. */
    String BASELINE = "naive";

    /** The name of the baseline on PostgreSQL. */
    String SKIP_LOCKED = "skip-locked";

    /** The system with which the others on an engine are compared. */
    static String baseline(String engine) {
        return engine.equals("postgresql") ? SKIP_LOCKED : BASELINE;
    }

    /** The system's name. */
    String system();

    /** How the system is set, if it is measured twice; empty if it is not. */
    default String option() {
        return "";
    }

    /** A new place, where nothing is yet. */
    Place place();

    /** A place that another process named. */
    default Place placed(String name) {
        throw new UnsupportedOperationException(system() + " is used by one process alone");
    }

    /** Opens the queue at a place, as it was left, or makes it. */
    Subject open(Place place, Plan plan) throws Exception;
}
