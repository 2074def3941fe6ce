// SPDX-License-Identifier: Apache-2.0
package dev.slipring.torture.judge;

import dev.slipring.torture.Course;

/** What a dead letter says that it died of. */
public enum Cause {
    /** Of a lease that ran out at its last attempt. */
    LEASE,
    /** Of a failure that its worker reported. */
    FAILURE,
    /** Of something else. */
    OTHER;

    /** The cause that the words of a dead letter mean. */
    public static Cause of(String error) {
        if (error.contains(Course.FAILURE)) {
            return FAILURE;
        }
        return error.contains("ran out at the last attempt") ? LEASE : OTHER;
    }
}
