// SPDX-License-Identifier: Apache-2.0
package dev.slipring;

import dev.slipring.watch.Watcher;

import java.time.Duration;
import java.util.function.BooleanSupplier;

/**
 * Workers who each handle whole claims: where messages are to be handled one after the other, and
 * where a handler wants a claim. One of them waits for all; who has handled a claim says so and
 * claims the next in one transaction.
 */
final class ByClaim implements Crew {

    private static final long LOOK = Duration.ofMinutes(1).toNanos();

    private static final long FIRST_PAUSE_MILLIS = 50;
    private static final long LAST_PAUSE_MILLIS = 5_000;

    private final Stage stage;
    private final ClaimHandler handler;
    private final ClaimSize size;
    private final Watcher watcher;
    private final LeaseKeeper keeper;
    private final BooleanSupplier ending;

    /** What the last claim that found nothing tells; null if none did. */
    private volatile Lookout nothing;

    ByClaim(
            Stage stage,
            ClaimHandler handler,
            ClaimSize size,
            Watcher watcher,
            LeaseKeeper keeper,
            BooleanSupplier ending) {
        this.stage = stage;
        this.handler = handler;
        this.size = size;
        this.watcher = watcher;
        this.keeper = keeper;
        this.ending = ending;
    }

    @Override
    public boolean shares() {
        return false;
    }

    @Override
    public Hand lead() {
        while (!ending.getAsBoolean()) {
            Lookout known = nothing;
            if (known != null && !stage.sleep(known)) {
                return null;
            }
            nothing = null;
            if (!ending.getAsBoolean()) {
                long seen = stage.changes();
                Claim claim = stage.claimNow(size.next());
                if (!claim.isEmpty()) {
                    return new Hand(claim);
                }
                nothing = Lookout.of(seen, claim, LOOK);
            }
        }
        return null;
    }

    /** Works from claim to claim, each claimed with the word on the one before. */
    @Override
    public void begin(Hand hand) {
        Claim claim = hand.claim();
        while (!claim.isEmpty()) {
            Word word = handle(claim);
            if (ending.getAsBoolean() || !claim.hasLeft()) {
                say(claim, word);
                return;
            }
            long seen = stage.changes();
            try {
                claim = stage.nextNow(claim, word, size.next());
            } catch (StoreFailed e) {
                watcher.storeFailed(e);
                say(claim, word);
                return;
            }
            if (claim.isEmpty()) {
                nothing = Lookout.of(seen, claim, LOOK);
            }
        }
    }

    /** Says a word, again and again while the store does not take it and the claim is in hand. */
    private void say(Claim claim, Word word) {
        for (long pause = FIRST_PAUSE_MILLIS; ; pause = Math.min(pause * 2, LAST_PAUSE_MILLIS)) {
            try {
                claim.settleRest(word);
                return;
            } catch (StoreFailed e) {
                watcher.storeFailed(e);
                if (ending.getAsBoolean() || !stage.sleep(Lookout.in(stage.changes(), pause))) {
                    return;
                }
            }
        }
    }

    private Word handle(Claim claim) {
        keeper.keep(claim);
        long start = System.nanoTime();
        try {
            return handler.handle(claim, ending);
        } finally {
            keeper.drop(claim);
            size.learn(claim.deliveries().size(), System.nanoTime() - start);
        }
    }

    @Override
    public void handle(Hand hand, int index) {
        throw new IllegalStateException("a claim is handled as a whole");
    }

    @Override
    public void finish() {
        // Each has said its own.
    }
}
