// SPDX-License-Identifier: Apache-2.0
/**
 * What an application uses: open a store, push to a ring, work on its stages.
 *
 * <pre>{@code
 * try (Slipring slipring = Slipring.open("sqlite:orders.db")) {
 *     Ring orders = slipring.createIfMissing(RingSpec.named("orders"));
 *     orders.push("order 1");
 *     try (Workers workers = orders.stage().work(4, order -> handle(order.text()))) {
 *         orders.drain(Duration.ofSeconds(10));
 *     }
 * }
 * }</pre>
 *
 * <p>A {@link dev.slipring.Slipring} is an open store of rings, {@link dev.slipring.Ring} one of
 * them, {@link dev.slipring.Stage} a group of its workers, and {@link dev.slipring.Claim} what one
 * worker has in hand; {@link dev.slipring.Typed} has messages of a type of yours, and {@link
 * dev.slipring.Joined} pushes and settles in your transaction. All but the last are thread-safe.
 * What a ring is made of is in {@code dev.slipring.graph}.
 *
 * <p>What a store cannot do is a {@link dev.slipring.SlipringException}, of a kind of its own where
 * a program does something else then: {@link dev.slipring.RingFull}, {@link dev.slipring.Fenced},
 * {@link dev.slipring.StoreUnreachable} and others. What cannot be told to a caller is told to the
 * {@link dev.slipring.Listener}, and logged by the {@link java.lang.System.Logger} named {@code
 * dev.slipring}.
 */
package dev.slipring;
