// SPDX-License-Identifier: Apache-2.0
package dev.slipring;

import java.util.function.BooleanSupplier;

/**
 * Workers who each handle whole claims: where messages are to be handled one after the other, and
 * where a handler wants a claim. Only one of them at a time waits for messages. A worker who has
 * handled a claim reports that and claims the next in one transaction.
 */
final class ByClaim implements Crew {

    private final Claiming stage;
    private final ClaimHandler handler;
    private final ClaimSize size;
    private final LeaseKeeper keeper;
    private final Patience patience;
    private final BooleanSupplier ending;

    /**
     * What the last empty claim tells of when to claim again; null if nothing keeps one from
     * claiming now.
     */
    private volatile Lookout nothing;

    ByClaim(
            Claiming stage,
            ClaimHandler handler,
            ClaimSize size,
            LeaseKeeper keeper,
            Patience patience,
            BooleanSupplier ending) {
        this.stage = stage;
        this.handler = handler;
        this.size = size;
        this.keeper = keeper;
        this.patience = patience;
        this.ending = ending;
    }

    @Override
    public boolean shares() {
        return false;
    }

    @Override
    public SharedClaim lead() {
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
                    return new SharedClaim(claim);
                }
                nothing = Lookout.of(seen, claim.nextMillis());
            }
        }
        return null;
    }

    /** Works from claim to claim, each claimed with the word on the one before. */
    @Override
    public void begin(SharedClaim hand) {
        Claim claim = hand.claim();
        while (claim != null && !claim.isEmpty()) {
            claim = work(claim);
        }
    }

    private Claim work(Claim claim) {
        keeper.keep(claim);
        try {
            long start = System.nanoTime();
            Word word = handler.handle(claim, ending);
            size.learn(claim.deliveries().size(), System.nanoTime() - start);
            return insist(claim, word);
        } finally {
            keeper.drop(claim);
        }
    }

    /**
     * Says a word that the store did not take again until it is taken or refused, so that what was
     * handled does not come again because of a failure that passes.
     */
    private Claim insist(Claim claim, Word first) {
        Word word = first;
        boolean alone = false;
        while (true) {
            try {
                return sayAndClaim(claim, word, alone);
            } catch (NotInHand e) {
                if (word.otherwise() == null) {
                    throw e;
                }
                word = word.otherwise();
            } catch (Fenced | NoSuchRing | IllegalArgumentException refused) {
                throw refused;
            } catch (RuntimeException | Error e) {
                // After an Error too: what was handled should not come again because of it.
                if (ending.getAsBoolean() || stage.isClosed()) {
                    throw e;
                }
                patience.bear(e);
                // What failed may have been the claim that came with the word.
                alone = true;
            }
        }
    }

    /**
     * Returns the next claim; null if nothing was claimed: this was to say the word alone, the
     * workers end, or everything was said already.
     */
    private Claim sayAndClaim(Claim claim, Word word, boolean alone) {
        if (alone || ending.getAsBoolean() || !claim.hasLeft()) {
            claim.settleIfLeft(word);
            patience.works();
            return null;
        }
        long seen = stage.changes();
        Claim next = stage.nextNow(claim, word, size.next());
        if (next.isEmpty()) {
            nothing = Lookout.of(seen, next.nextMillis());
        }
        patience.works();
        return next;
    }

    @Override
    public void handle(SharedClaim hand, int index) {
        throw new IllegalStateException("a claim is handled as a whole");
    }

    @Override
    public void finish() {
        // Each has said its own.
    }
}
