// SPDX-License-Identifier: Apache-2.0
package dev.slipring.kit;

import dev.slipring.StoreFailed;
import dev.slipring.engine.ClaimRequest;
import dev.slipring.engine.Store;

import java.util.concurrent.atomic.AtomicInteger;

/** A store in front of the real one that fails when a word comes with a wish for the next claim. */
final class LostWords {

    private LostWords() {}

    /** The store; every second word that comes with a claim does not reach it. */
    static Store over(Store real) {
        AtomicInteger turn = new AtomicInteger();
        return StoreInFront.of(
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
}
