// SPDX-License-Identifier: Apache-2.0
package dev.slipring;

import dev.slipring.graph.Mode;
import dev.slipring.watch.Watcher;

import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.BooleanSupplier;

/**
 * Workers of a pool who share claims message by message, so that a message that takes long keeps no
 * other waiting. What became of the messages is reported together with the next claim. While nobody
 * claims, as there is nothing to claim, it is reported at once.
 */
final class ByMessage implements Crew {

    private final Claiming stage;
    private final Handler handler;
    private final ClaimSize size;
    private final Watcher watcher;
    private final LeaseKeeper keeper;
    private final BooleanSupplier ending;

    /** The claims in hand, the oldest first; only the worker who has the turn adds to them. */
    private final Queue<SharedClaim> hands = new ConcurrentLinkedQueue<>();

    /** The last claim; used only by the worker who has the turn. */
    private SharedClaim newest;

    /** Whether the last claim with a word failed; used only by the worker who has the turn. */
    private boolean alone;

    /**
     * Whether the worker who has the turn waits for news before it claims: then what is done must
     * be reported at once.
     */
    private volatile boolean waits;

    ByMessage(
            Claiming stage,
            Handler handler,
            ClaimSize size,
            LeaseKeeper keeper,
            BooleanSupplier ending) {
        this.stage = stage;
        this.watcher = stage.watcher();
        this.handler = handler;
        this.size = size;
        this.keeper = keeper;
        this.ending = ending;
    }

    @Override
    public boolean shares() {
        return true;
    }

    @Override
    public SharedClaim lead() {
        while (!ending.getAsBoolean()) {
            long seen = stage.changes();
            Claim claim = sayAndClaim();
            if (!claim.isEmpty()) {
                MadeAnew.refuse(claim, Mode.POOL);
                keeper.keep(claim);
                newest = new SharedClaim(claim);
                hands.add(newest);
                return newest;
            }
            if (!await(Lookout.of(seen, claim.nextMillis()))) {
                return null;
            }
        }
        return null;
    }

    /** Claims, and says what became of what was in hand before. */
    private Claim sayAndClaim() {
        SharedClaim complete = null;
        for (SharedClaim hand : hands) {
            if (complete == null && !alone && hand.isComplete() && !hand.isClosed()) {
                complete = hand;
            } else if (alone || hand != newest || hand.isClosed()) {
                say(hand);
            }
        }
        // What failed may have been the claim: what was handled must not wait for the next one.
        alone = complete != null;
        Claim claim = complete == null ? stage.claimNow(size.next()) : sayAndClaim(complete);
        alone = false;
        return claim;
    }

    private Claim sayAndClaim(SharedClaim hand) {
        try {
            return hand.next(stage, size.next());
        } catch (Fenced e) {
            // Somebody else has it now.
            return stage.claimNow(size.next());
        } finally {
            forgetClosed(hand);
        }
    }

    private boolean await(Lookout lookout) {
        waits = true;
        try {
            hands.forEach(this::say);
            return !ending.getAsBoolean() && stage.sleep(lookout);
        } finally {
            waits = false;
        }
    }

    private void say(SharedClaim hand) {
        try {
            hand.say();
        } catch (Fenced e) {
            // Somebody else has it now.
        } finally {
            forgetClosed(hand);
        }
    }

    private void forgetClosed(SharedClaim hand) {
        if (hand.isClosed()) {
            keeper.drop(hand.claim());
            if (hands.remove(hand) && hand.isComplete()) {
                size.learn(hand.size(), hand.took());
            }
        }
    }

    @Override
    public void begin(SharedClaim hand) {
        handle(hand, 0);
    }

    @Override
    public void handle(SharedClaim hand, int index) {
        try {
            if (ending.getAsBoolean() || hand.isClosed()) {
                hand.back(index);
            } else {
                call(hand, index);
            }
        } finally {
            if (waits || hand.isComplete() && ending.getAsBoolean()) {
                sayAtOnce(hand);
            }
        }
    }

    private void call(SharedClaim hand, int index) {
        Delivery delivery = hand.delivery(index);
        try {
            handler.handle(delivery);
            hand.done(index);
        } catch (Throwable e) {
            fail(hand, index, e);
            watcher.failed(stage.name(), delivery, e);
        }
    }

    /**
     * If there is no memory to put the failure into words, the message goes back: it must not stay
     * in hand for ever.
     */
    private static void fail(SharedClaim hand, int index, Throwable why) {
        boolean said = false;
        try {
            hand.failed(index, Watcher.words(why));
            said = true;
        } finally {
            if (!said) {
                hand.back(index);
            }
        }
    }

    private void sayAtOnce(SharedClaim hand) {
        try {
            say(hand);
        } catch (RuntimeException | Error e) {
            watcher.storeFailed(
                    new SlipringException(
                            "messages were handled, but the store was not told, so they come again"
                                    + " when their lease runs out: "
                                    + Watcher.words(e),
                            e));
            // The worker who waits says it again, or learns why that fails.
            stage.wakeAll();
        }
    }

    @Override
    public void finish() {
        hands.forEach(this::sayAtOnce);
        hands.forEach(hand -> keeper.drop(hand.claim()));
    }
}
