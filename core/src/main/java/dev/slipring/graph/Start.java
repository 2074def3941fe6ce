// SPDX-License-Identifier: Apache-2.0
package dev.slipring.graph;

import java.time.Instant;
import java.util.Objects;

/**
 * Where a stage begins.
 *
 * @param at oldest, newest or a time
 * @param time the time, or null
 */
public record Start(At at, Instant time) {

    /** The oldest message that the ring still holds. */
    public static final Start OLDEST = new Start(At.OLDEST, null);

    /** The next message that is pushed. */
    public static final Start NEWEST = new Start(At.NEWEST, null);

    public Start {
        Objects.requireNonNull(at, "at");
        if ((at == At.TIME) != (time != null)) {
            throw new IllegalArgumentException("a time belongs to a start at a time");
        }
    }

    /** The first message pushed at the time or later. */
    public static Start at(Instant time) {
        return new Start(At.TIME, time);
    }

    /** The kinds of a start. */
    public enum At {
        /** The oldest message that the ring still holds. */
        OLDEST,
        /** The next message that is pushed. */
        NEWEST,
        /** The first message pushed at a time or later. */
        TIME
    }
}
