// SPDX-License-Identifier: Apache-2.0
package dev.slipring.memory;

import dev.slipring.ManualClock;
import dev.slipring.OutcomeUnknown;
import dev.slipring.StoreFailed;
import dev.slipring.engine.Store;
import dev.slipring.kit.InFront;

import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.Set;

/**
 * A store in front of the real one whose calls fail or are delayed by plan: a call or its answer is
 * lost, or takes longer than a lease. For one thread.
 */
final class PlannedStore {

    private static final Set<String> PLANNED =
            Set.of("push", "tryPush", "pushed", "claim", "settle", "trySettle");
    private static final int LONGEST_MILLIS = 150;

    private final Store real;
    private final Random random;
    private final ManualClock clock;
    private final List<String> log;
    private boolean calm;

    private PlannedStore(Store real, Random random, ManualClock clock, List<String> log) {
        this.real = real;
        this.random = random;
        this.clock = clock;
        this.log = log;
    }

    /** The plan of a store. */
    static PlannedStore over(Store real, Random random, ManualClock clock, List<String> log) {
        return new PlannedStore(real, random, clock, log);
    }

    /** The store itself. */
    Store store() {
        return InFront.of(Store.class, real, (method, args, through) -> call(method, through));
    }

    /** From now on no call fails. */
    void calm() {
        calm = true;
    }

    private Object call(String name, InFront.Through through) throws Throwable {
        // Seldom for calls that look up the outcome of a push, as the caller sleeps if they fail.
        int dice =
                calm || !PLANNED.contains(name)
                        ? Integer.MAX_VALUE
                        : random.nextInt(name.equals("pushed") ? 400 : 24);
        if (dice < 2) {
            log.add("  " + name + " does not arrive");
            throw new StoreFailed("cut off on the way there", null);
        }
        if (dice == 2) {
            delay(name);
        }
        Object answer = through.call();
        if (dice == 3) {
            delay("the answer of " + name);
        } else if (dice < 6) {
            log.add("  the answer of " + name + " does not arrive");
            throw name.endsWith("ush")
                    ? new OutcomeUnknown("cut off after the commit")
                    : new StoreFailed("cut off on the way back", null);
        }
        return answer;
    }

    private void delay(String what) {
        int millis = random.nextInt(LONGEST_MILLIS);
        log.add("  " + what + " takes " + millis);
        clock.advance(Duration.ofMillis(millis));
    }
}
