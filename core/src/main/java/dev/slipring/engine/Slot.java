// SPDX-License-Identifier: Apache-2.0
package dev.slipring.engine;

/**
 * Messages that are pushed together into one lane.
 *
 * @param lane the lane, from 0
 * @param producer who pushes; 0 if nobody will ask
 * @param number the producer's number of this push; grows by each
 * @param count how many messages
 * @param body the messages, as {@link SlotCodec} writes them
 */
public record Slot(int lane, long producer, long number, int count, byte[] body) {}
