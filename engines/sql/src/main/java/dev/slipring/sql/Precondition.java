// SPDX-License-Identifier: Apache-2.0
package dev.slipring.sql;

import java.util.function.Consumer;

/**
 * What has to hold before a store does any work, as that its schema is there. It is checked before
 * each work until it holds. Thread-safe.
 *
 * @param <T> what the check looks at
 */
public final class Precondition<T> {

    /** Refuses what does not hold; null once it does, or where there is nothing to check. */
    private volatile Consumer<T> check;

    /** With nothing to check, until that is set. */
    public Precondition() {}

    /** Has this checked from now on. */
    public void set(Consumer<T> refusal) {
        check = refusal;
    }

    /** Whether there is nothing to check, or nothing any more. */
    public boolean isMet() {
        return check == null;
    }

    /** Checks it, unless it was seen to hold. */
    public void require(T store) {
        Consumer<T> refusal = check;
        if (refusal != null) {
            refusal.accept(store);
            check = null;
        }
    }
}
