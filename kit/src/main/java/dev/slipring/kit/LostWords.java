// SPDX-License-Identifier: Apache-2.0
package dev.slipring.kit;

import dev.slipring.StoreFailed;
import dev.slipring.engine.ClaimRequest;
import dev.slipring.engine.Settlement;
import dev.slipring.engine.Settlement.Rest;
import dev.slipring.engine.Store;
import dev.slipring.engine.Ticket;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;

/** Stores in front of the real one that fail some words. */
final class LostWords {

    private LostWords() {}

    /** A store which every second word that comes together with a new claim does not reach. */
    static Store over(Store real) {
        AtomicInteger turn = new AtomicInteger();
        return InFront.of(
                Store.class,
                real,
                (method, arguments, through) -> {
                    boolean word =
                            method.equals("claim")
                                    && ((ClaimRequest) arguments[1]).before() != null;
                    if (word && turn.getAndIncrement() % 2 == 0) {
                        throw new StoreFailed("cut off on the way there", null);
                    }
                    return through.call();
                });
    }

    /**
     * A store that records the first failure that is not its claim's last word, and whose answer to
     * it is lost.
     */
    static Store unheard(Store real, CountDownLatch lost) {
        return InFront.of(
                Store.class,
                real,
                (method, arguments, through) -> {
                    Object answer = through.call();
                    if (isFailureAlone(method, arguments) && lost.getCount() > 0) {
                        lost.countDown();
                        throw new StoreFailed("cut off on the way back", null);
                    }
                    return answer;
                });
    }

    /** A store which the first failure that is not its claim's last word does not reach. */
    static Store deaf(Store real) {
        AtomicBoolean heard = new AtomicBoolean();
        return InFront.of(
                Store.class,
                real,
                (method, arguments, through) -> {
                    if (isFailureAlone(method, arguments) && !heard.getAndSet(true)) {
                        throw new StoreFailed("cut off on the way there", null);
                    }
                    return through.call();
                });
    }

    /**
     * A store that refuses, each time it comes, the first failure that is not its claim's last
     * word, and all others of the same claim.
     */
    static Store refused(Store real, CountDownLatch lost) {
        AtomicReference<Ticket> claim = new AtomicReference<>();
        return InFront.of(
                Store.class,
                real,
                (method, arguments, through) -> {
                    if (isFailureAlone(method, arguments)) {
                        Ticket ticket = ((Settlement) arguments[1]).ticket();
                        claim.compareAndSet(null, ticket);
                        lost.countDown();
                        if (ticket.equals(claim.get())) {
                            throw new IllegalArgumentException("there is no such message");
                        }
                    }
                    return through.call();
                });
    }

    private static boolean isFailureAlone(String method, Object[] arguments) {
        return method.equals("settle")
                && ((Settlement) arguments[1]).rest() == Rest.KEEP
                && !((Settlement) arguments[1]).failed().isEmpty();
    }
}
