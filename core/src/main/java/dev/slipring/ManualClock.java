// SPDX-License-Identifier: Apache-2.0
package dev.slipring;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicReference;

/**
 * A clock that moves by hand, for tests. Threads that wait for a time are woken when it moves.
 * Thread-safe.
 */
public final class ManualClock implements InstantSource {

    private final AtomicReference<Instant> now;
    private final List<Runnable> onMove = new CopyOnWriteArrayList<>();

    /** A clock that stands at a time. */
    public ManualClock(Instant start) {
        now = new AtomicReference<>(Objects.requireNonNull(start, "start"));
    }

    @Override
    public Instant instant() {
        return now.get();
    }

    /** Moves the clock. */
    public void advance(Duration by) {
        now.updateAndGet(then -> then.plus(by));
        onMove.forEach(Runnable::run);
    }

    void onMove(Runnable action) {
        onMove.add(action);
    }

    void forget(Runnable action) {
        onMove.remove(action);
    }
}
