// SPDX-License-Identifier: Apache-2.0
package dev.slipring;

import dev.slipring.watch.Watcher;

import java.time.Duration;
import java.util.NoSuchElementException;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;

/**
 * What one thread of {@link Workers} does: from claim to claim, each claimed with the word on the
 * one before. A word that the store did not take is said again until it is taken or refused, so
 * that what was handled does not come again because of a failure that passes.
 */
final class WorkLoop {

    private static final Duration LOOK = Duration.ofMinutes(1);
    private static final long FIRST_PAUSE_MILLIS = 50;
    private static final long LAST_PAUSE_MILLIS = 5_000;

    private final Stage stage;
    private final ClaimHandler handler;
    private final Watcher watcher;
    private final LeaseKeeper keeper;
    private final ClaimSize size;
    private final Workers workers;
    private long pause = FIRST_PAUSE_MILLIS;
    private Claim claim;

    /** What is to be said about the claim; null while it is handled. */
    private Word word;

    WorkLoop(
            Stage stage,
            ClaimHandler handler,
            Watcher watcher,
            LeaseKeeper keeper,
            int batch,
            Workers workers) {
        this.stage = stage;
        this.handler = handler;
        this.watcher = watcher;
        this.keeper = keeper;
        this.size = new ClaimSize(batch);
        this.workers = workers;
    }

    /** Runs until the workers stop or the stage is gone. */
    void run() {
        boolean goesOn = true;
        while (goesOn && !(isStopping() && word == null)) {
            try {
                step();
                pause = FIRST_PAUSE_MILLIS;
            } catch (Fenced e) {
                // The claim was handed on; somebody else has it now.
                word = null;
            } catch (NoSuchRing | NoSuchElementException gone) {
                watcher.storeFailed(
                        new SlipringException(
                                "stage '"
                                        + stage.name()
                                        + "' is gone, its workers end: "
                                        + gone.getMessage(),
                                gone));
                goesOn = false;
            } catch (RuntimeException e) {
                watcher.storeFailed(
                        e instanceof SlipringException known
                                ? known
                                : new SlipringException("a worker broke: " + e, e));
                goesOn = !isStopping();
                sleep();
            }
        }
    }

    /** Says what is to be said, claims, handles. */
    private void step() {
        if (word == null) {
            claim = stage.claim(size.next(), LOOK, this::isStopping);
        } else if (isStopping() || claim.left().isEmpty()) {
            claim.settleRest(word);
            word = null;
            return;
        } else {
            claim = stage.next(claim, word, size.next(), LOOK, this::isStopping);
        }
        word = null;
        if (!claim.isEmpty()) {
            word = handle();
        }
    }

    private boolean isStopping() {
        if (Thread.currentThread().isInterrupted()) {
            workers.stopping();
        }
        return workers.isStopping();
    }

    private Word handle() {
        keeper.keep(claim);
        long start = System.nanoTime();
        try {
            return handler.handle(claim, this::isEnding);
        } finally {
            keeper.drop(claim);
            size.learn(claim.deliveries().size(), System.nanoTime() - start);
        }
    }

    private boolean isEnding() {
        return workers.isStopping() || Thread.currentThread().isInterrupted();
    }

    private void sleep() {
        try {
            TimeUnit.MILLISECONDS.sleep(ThreadLocalRandom.current().nextLong(pause / 2, pause + 1));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        pause = Math.min(pause * 2, LAST_PAUSE_MILLIS);
    }
}
