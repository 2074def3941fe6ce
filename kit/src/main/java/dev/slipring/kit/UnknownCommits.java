// SPDX-License-Identifier: Apache-2.0
package dev.slipring.kit;

import dev.slipring.OutcomeUnknown;
import dev.slipring.engine.Store;

import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;

/** A store in front of the real one that loses the connection in two of three pushes. */
final class UnknownCommits {

    private static final Set<String> PUSHES = Set.of("push", "tryPush");

    private UnknownCommits() {}

    /**
     * The store; by turns a push is made and its answer is lost, is made, or is lost on its way
     * there.
     */
    static Store over(Store real) {
        AtomicInteger turn = new AtomicInteger();
        return InFront.of(
                Store.class,
                real,
                (method, arguments, through) -> {
                    int now = PUSHES.contains(method) ? turn.getAndIncrement() % 3 : 1;
                    if (now == 2) {
                        throw new OutcomeUnknown("cut off before the commit");
                    }
                    Object answer = through.call();
                    if (now == 0) {
                        throw new OutcomeUnknown("cut off after the commit");
                    }
                    return answer;
                });
    }
}
