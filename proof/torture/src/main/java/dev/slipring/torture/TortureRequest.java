// SPDX-License-Identifier: Apache-2.0
package dev.slipring.torture;

import java.nio.file.Path;
import java.time.Duration;

/**
 * What the adversary is asked to do.
 *
 * @param url the store, which must not be there yet
 * @param seed the number from which the plan is made
 * @param time how long the plan lasts
 * @param journals the folder for the journals; null for one beside the store, which is deleted if
 *     nothing was found
 * @param soak whether to kill no process, and to measure what the processes use
 * @param rate how many messages all producers together push a second at most; 0 for no limit
 */
public record TortureRequest(
        String url, long seed, Duration time, Path journals, boolean soak, int rate) {

    private static final int MOST = 1_000_000;

    public TortureRequest {
        if (time.isNegative() || time.isZero() || time.toMinutes() > 24 * 60) {
            throw new IllegalArgumentException(
                    "torture takes more than 0 minutes and at most a day, not "
                            + time.toMillis() / 60_000.0);
        }
        if (rate < 0 || rate > MOST) {
            throw new IllegalArgumentException(
                    "torture pushes at most 1 to 1000000 messages a second, or as many as it can"
                            + " where the rate is 0, not "
                            + rate);
        }
    }
}
