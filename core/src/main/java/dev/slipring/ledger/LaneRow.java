// SPDX-License-Identifier: Apache-2.0
package dev.slipring.ledger;

/**
 * A lane of a ring.
 *
 * @param lane its number, from 0
 * @param head the position of the next message
 * @param gate the position below which every stage is done
 * @param bytes how many bytes the slots in it hold
 */
public record LaneRow(int lane, long head, long gate, long bytes) {

    /** How many messages some stage has yet to do. */
    public long held() {
        return head - gate;
    }
}
