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
 * A stage whose calls are tried again, ever more slowly, while its store cannot be reached: for as
 * long as a claim would wait for messages.
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
     * @param trouble is told once when the store gets out of reach during a call
     */
    PatientStage(Stage stage, Duration wait, Consumer<String> trouble) {
        this.stage = stage;
        this.wait = wait;
        this.trouble = trouble;
    }

    /**
     * Claims at most this many messages. If the answer to a claim is lost, its messages come again
     * when its lease runs out.
     *
     * @throws SlipringException if the store is out of reach to the end of the time, or the thread
     *     is interrupted meanwhile
     */
    Claim claim(int max) {
        return insist(left -> stage.claim(max, left));
    }

    /**
     * Reports all of a claim as done. If an answer was lost, and the store then finds that the
     * claim is not in hand, it had taken the first done; or the lease has run out meanwhile, and
     * the messages come again.
     *
     * @throws SlipringException if the store refuses the word, or is out of reach for the whole
     *     time
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
