// SPDX-License-Identifier: Apache-2.0
package dev.slipring.ledger;

import dev.slipring.engine.SlotCodec;

/**
 * A slot that holds messages.
 *
 * @param lane its lane
 * @param first the position of its first message
 * @param count how many messages
 * @param producer who pushed it; 0 if nobody will ask
 * @param number the producer's number of the push
 * @param pushedAt when, in milliseconds since 1970 by the store's clock
 * @param body the messages
 */
public record SlotRow(
        int lane, long first, int count, long producer, long number, long pushedAt, byte[] body) {

    /** The position behind its last message. */
    public long end() {
        return first + count;
    }

    /** Whether it holds a position, and all its messages are here. */
    public boolean isWholeAt(long position) {
        return first <= position && end() > position && SlotCodec.isWhole(body, count);
    }
}
