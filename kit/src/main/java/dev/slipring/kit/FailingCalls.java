// SPDX-License-Identifier: Apache-2.0
package dev.slipring.kit;

import dev.slipring.OutcomeUnknown;
import dev.slipring.engine.Store;

import java.util.concurrent.atomic.AtomicInteger;

/**
 * A store in front of the real one: some calls of one method fail, as if it could not be reached.
 */
final class FailingCalls {

    private FailingCalls() {}

    /**
     * The store.
     *
     * @param left how many of the next calls fail; counts down
     */
    static Store over(Store real, String name, AtomicInteger left) {
        return InFront.of(
                Store.class,
                real,
                (method, arguments, through) -> {
                    if (method.equals(name) && left.getAndUpdate(n -> Math.max(n - 1, 0)) > 0) {
                        throw new OutcomeUnknown("cut off");
                    }
                    return through.call();
                });
    }
}
