// SPDX-License-Identifier: Apache-2.0
package dev.slipring.torture;

import java.nio.file.Path;
import java.time.Duration;

/**
 * What is asked of the adversary.
 *
 * @param url the store, which must not be there yet
 * @param seed what the plan is made of
 * @param time how long the plan lasts
 * @param journals the folder for the journals; null for one beside the store, which goes when
 *     nothing was found
 * @param soak whether nobody is killed, and what the processes take is measured
 * @param rate how many messages all producers push a second at most; 0 for as many as they can
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
