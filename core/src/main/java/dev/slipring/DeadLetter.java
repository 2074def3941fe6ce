// SPDX-License-Identifier: Apache-2.0
package dev.slipring;

import java.time.Instant;

/**
 * A message that was not done in any of the attempts that its stage allows, kept until somebody
 * retries or drops it.
 *
 * @param stage the stage in which it failed
 * @param delivery the message, with the number of its attempts
 * @param error what the last failure said, its first 2,000 characters
 * @param worker who had it last
 * @param failedAt when it failed last, by the store's clock
 */
public record DeadLetter(
        String stage, Delivery delivery, String error, String worker, Instant failedAt) {

    /** Names the message in its ring: {@code lane-position}. */
    public String id() {
        return delivery.id();
    }
}
