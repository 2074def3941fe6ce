// SPDX-License-Identifier: Apache-2.0
package dev.slipring.cli.stream;

import dev.slipring.Claim;
import dev.slipring.Fenced;
import dev.slipring.OutcomeUnknown;
import dev.slipring.SlipringException;
import dev.slipring.Stage;
import dev.slipring.StoreUnreachable;

import java.time.Duration;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Function;

/**
 * A stage whose calls wait for a store that cannot be reached as long as a claim would wait for
 * messages, and try it again ever more slowly.
 */
final class PatientStage {

    private static final long FIRST_PAUSE = TimeUnit.MILLISECONDS.toNanos(100);
    private static final long LAST_PAUSE = TimeUnit.SECONDS.toNanos(5);

    private final Stage stage;
    private final Duration wait;
    private final Consumer<String> trouble;

    /**
     * A stage.
     *
     * @param wait how long each call waits
     * @param trouble is told once of each time that the store is out of reach
     */
    PatientStage(Stage stage, Duration wait, Consumer<String> trouble) {
        this.stage = stage;
        this.wait = wait;
        this.trouble = trouble;
    }

    /**
     * Claims so many messages at most; what a claim whose answer was lost has in hand comes when
     * its lease runs out.
     *
     * @throws SlipringException if the store is out of reach to the end of the time, or the thread
     *     is interrupted meanwhile
     */
    Claim claim(int max) {
        return insist(left -> stage.claim(max, left));
    }

    /**
     * All of a claim is done. A store whose answer was lost, and that finds the claim in no hand
     * when it is asked again, has taken it: or its lease ran out meanwhile, and it comes again.
     *
     * @throws SlipringException if the store refuses that, or is out of reach for so long
     */
    void done(Claim claim) {
        boolean[] unsure = new boolean[1];
        insist(
                left -> {
                    try {
                        claim.done();
                    } catch (OutcomeUnknown e) {
                        unsure[0] = true;
                        throw e;
                    } catch (Fenced e) {
                        if (!unsure[0]) {
                            throw e;
                        }
                    }
                    return claim;
                });
    }

    private Claim insist(Function<Duration, Claim> call) {
        long end = System.nanoTime() + wait.toNanos();
        long pause = FIRST_PAUSE;
        while (true) {
            long left = Math.max(0, end - System.nanoTime());
            try {
                return call.apply(Duration.ofNanos(left));
            } catch (StoreUnreachable | OutcomeUnknown away) {
                if (pause == FIRST_PAUSE && left > 0) {
                    trouble.accept(away.getMessage() + "; trying again");
                }
                pause(Math.min(pause, end - System.nanoTime()), away);
                pause = Math.min(2 * pause, LAST_PAUSE);
            }
        }
    }

    private static void pause(long nanos, SlipringException away) {
        if (nanos <= 0) {
            throw away;
        }
        try {
            TimeUnit.NANOSECONDS.sleep(ThreadLocalRandom.current().nextLong(nanos / 2, nanos + 1));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw away;
        }
    }
}
