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
 * worker has in hand. {@link dev.slipring.Typed} is a ring for messages of a type of yours. {@link
 * dev.slipring.Joined} and {@link dev.slipring.TypedJoined} push and report in your transaction,
 * and are for its thread; all others are thread-safe. What a ring consists of is declared with
 * {@code dev.slipring.graph}.
 *
 * <p>If the store cannot do what is asked, calls throw {@link dev.slipring.SlipringException}. Its
 * subclasses are for errors to which a program may react: {@link dev.slipring.RingFull}, {@link
 * dev.slipring.Fenced}, {@link dev.slipring.StoreUnreachable} and others. What happens while no
 * call of yours is under way is reported to the {@link dev.slipring.Listener}, and errors are
 * logged by the {@link java.lang.System.Logger} named {@code dev.slipring}; what handlers throw, by
 * the one named {@code dev.slipring.handlers}.
 */
package dev.slipring;
