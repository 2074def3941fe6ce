// SPDX-License-Identifier: Apache-2.0
package dev.slipring;

import java.time.Instant;
import java.util.Map;

/**
 * A message as it is handed to a worker.
 *
 * @param message what was pushed
 * @param lane its lane, from 0
 * @param position where it stands in its lane; grows with each message, never used again
 * @param attempt the number of this attempt in its stage, from 1. One that was given back does not
 *     count. It is 1 again for a dead letter that is retried, and for what a rewind brings again
 * @param pushedAt when it was pushed, by the store's clock
 */
public record Delivery(Message message, int lane, long position, int attempt, Instant pushedAt) {

    /** Names the message in its ring: {@code lane-position}. */
    public String id() {
        return lane + "-" + position;
    }

    /** The key, or null if there is none. */
    public String key() {
        return message.key();
    }

    /** The headers; empty if there are none. */
    public Map<String, String> headers() {
        return message.headers();
    }

    /** A copy of the body. */
    public byte[] body() {
        return message.body();
    }

    /** The body as UTF-8 text. */
    public String text() {
        return message.text();
    }
}
