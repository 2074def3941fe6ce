// SPDX-License-Identifier: Apache-2.0
package dev.slipring.ledger;

/**
 * A row of a message set aside, without the message itself: a decision about many rows must not
 * need memory for all their messages.
 *
 * @param row the row, with no bytes in place of the message
 * @param bytes how long the message is
 */
public record AsideHead(AsideRow row, long bytes) {

    /** Makes one of a row that was read with its message. */
    public static AsideHead of(AsideRow row) {
        return new AsideHead(row.with(AsideRow.NOT_READ), row.message().length);
    }
}
