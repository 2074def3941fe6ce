// SPDX-License-Identifier: Apache-2.0
package dev.slipring.kit;

import dev.slipring.OutcomeUnknown;
import dev.slipring.StoreFailed;
import dev.slipring.engine.ClaimRequest;
import dev.slipring.engine.Settlement;
import dev.slipring.engine.Settlement.Rest;
import dev.slipring.engine.Ticket;

import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;

/** Ways in which calls of a store fail: they, or their answers, are lost. */
final class LostCalls {

    private static final Set<String> PUSHES = Set.of("push", "tryPush");

    private LostCalls() {}

    /**
     * Some calls of a method fail, as if the store could not be reached.
     *
     * @param left how many of the next calls fail; counts down
     */
    static InFront.Way of(String name, AtomicInteger left) {
        return (method, arguments, through) -> {
            if (method.equals(name) && left.getAndUpdate(n -> Math.max(n - 1, 0)) > 0) {
                throw new OutcomeUnknown("cut off");
            }
            return through.call();
        };
    }

    /**
     * By turns a push is made and its answer is lost, is made, or is lost on its way to the store.
     */
    static InFront.Way ofPushes() {
        AtomicInteger turn = new AtomicInteger();
        return (method, arguments, through) -> {
            int now = PUSHES.contains(method) ? turn.getAndIncrement() % 3 : 1;
            if (now == 2) {
                throw new OutcomeUnknown("cut off before the commit");
            }
            Object answer = through.call();
            if (now == 0) {
                throw new OutcomeUnknown("cut off after the commit");
            }
            return answer;
        };
    }

    /** Every second word that comes together with a new claim does not reach the store. */
    static InFront.Way ofWordsWithClaims() {
        AtomicInteger turn = new AtomicInteger();
        return (method, arguments, through) -> {
            boolean word = method.equals("claim") && ((ClaimRequest) arguments[1]).before() != null;
            if (word && turn.getAndIncrement() % 2 == 0) {
                throw new StoreFailed("cut off on the way there", null);
            }
            return through.call();
        };
    }

    /** No word that comes together with a new claim is taken, as no new claim can be made. */
    static InFront.Way ofAllWordsWithClaims() {
        return (method, arguments, through) -> {
            if (method.equals("claim") && ((ClaimRequest) arguments[1]).before() != null) {
                throw new StoreFailed("the slot that would be claimed cannot be read", null);
            }
            return through.call();
        };
    }

    /**
     * The store records the first failure that is not its claim's last word, and its answer to it
     * is lost.
     */
    static InFront.Way ofAnAnswerToAFailure(CountDownLatch lost) {
        return (method, arguments, through) -> {
            Object answer = through.call();
            if (isFailureAlone(method, arguments) && lost.getCount() > 0) {
                lost.countDown();
                throw new StoreFailed("cut off on the way back", null);
            }
            return answer;
        };
    }

    /** The first failure that is not its claim's last word does not reach the store. */
    static InFront.Way ofAFailure() {
        AtomicBoolean heard = new AtomicBoolean();
        return (method, arguments, through) -> {
            if (isFailureAlone(method, arguments) && !heard.getAndSet(true)) {
                throw new StoreFailed("cut off on the way there", null);
            }
            return through.call();
        };
    }

    /**
     * The store refuses, each time it comes, the first failure that is not its claim's last word,
     * and all others of the same claim.
     */
    static InFront.Way ofRefusedFailures(CountDownLatch refused) {
        AtomicReference<Ticket> claim = new AtomicReference<>();
        return (method, arguments, through) -> {
            if (isFailureAlone(method, arguments)) {
                Ticket ticket = ((Settlement) arguments[1]).ticket();
                claim.compareAndSet(null, ticket);
                refused.countDown();
                if (ticket.equals(claim.get())) {
                    throw new IllegalArgumentException("there is no such message");
                }
            }
            return through.call();
        };
    }

    /** The first word that comes together with a new claim is refused as wrong, each time. */
    static InFront.Way ofRefusedWordsWithClaims() {
        AtomicReference<Ticket> claim = new AtomicReference<>();
        return (method, arguments, through) -> {
            Settlement word =
                    method.equals("claim") ? ((ClaimRequest) arguments[1]).before() : null;
            if (word != null) {
                claim.compareAndSet(null, word.ticket());
                if (word.ticket().equals(claim.get())) {
                    throw new IllegalArgumentException("there is no such message");
                }
            }
            return through.call();
        };
    }

    private static boolean isFailureAlone(String method, Object[] arguments) {
        return method.equals("settle")
                && ((Settlement) arguments[1]).rest() == Rest.KEEP
                && !((Settlement) arguments[1]).failed().isEmpty();
    }
}
