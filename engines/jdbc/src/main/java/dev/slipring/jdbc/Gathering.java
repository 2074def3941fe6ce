// SPDX-License-Identifier: Apache-2.0
package dev.slipring.jdbc;

import dev.slipring.engine.ClaimRequest;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;

/**
 * Lets messages gather before the next claim of a worker who is faster than those who push here: a
 * claim costs a server the same for a hundred messages as for one, and what it takes is missing
 * where the pushes are made.
 *
 * <p>It is for streams only: where claims bring few messages, or nobody is pushing at the moment,
 * they are handed out at once; and where they bring what they may there is nothing to wait for.
 * Thread-safe.
 */
final class Gathering {

    /** Claims of fewer are not delayed. */
    static final int STREAM = 16;

    private static final long PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(2);

    private final AtomicInteger pushing = new AtomicInteger();
    private final Map<Of, Integer> last = new ConcurrentHashMap<>();

    private record Of(String ring, String stage) {}

    /** Runs a push. */
    void push(Runnable push) {
        pushing.incrementAndGet();
        try {
            push.run();
        } finally {
            pushing.decrementAndGet();
        }
    }

    /** Whether more is on its way to a worker who has taken all there was. */
    boolean isOfUse(String ring, ClaimRequest request) {
        int count = last.getOrDefault(new Of(ring, request.stage()), 0);
        return request.before() != null
                && count >= STREAM
                && count <= request.max() / 2
                && pushing.get() > 0;
    }

    /** Waits before a claim, if that is of use. */
    void await(String ring, ClaimRequest request) {
        if (isOfUse(ring, request)) {
            LockSupport.parkNanos(PAUSE_NANOS);
        }
    }

    /** Remembers how many messages a claim brought. */
    void claimed(String ring, ClaimRequest request, int count) {
        last.put(new Of(ring, request.stage()), count);
    }
}
