// SPDX-License-Identifier: Apache-2.0
/**
 * The ring between threads: preallocated slots, and a graph of sequences that say who may touch
 * which slot, with the names and the meaning of QuestDB's inter-thread messaging.
 *
 * <p>{@link dev.slipring.ring.RingQueue} holds the slots. {@link dev.slipring.ring.SPSequence} and
 * {@link dev.slipring.ring.MPSequence} are producers, {@link dev.slipring.ring.SCSequence} and
 * {@link dev.slipring.ring.MCSequence} consumers; {@code then} and {@link dev.slipring.ring.FanOut}
 * shape them into a circle. {@link dev.slipring.ring.Waiting} says how a thread waits.
 *
 * <p>{@link dev.slipring.ring.ThreadRing} makes all of that from a graph of stages, and runs their
 * threads.
 */
package dev.slipring.ring;
