// SPDX-License-Identifier: Apache-2.0
package dev.slipring;

import dev.slipring.engine.Settlement.Failed;
import dev.slipring.engine.Settlement.Rest;
import dev.slipring.graph.Mode;
import dev.slipring.watch.Watcher;

import java.util.List;
import java.util.Map;
import java.util.function.BooleanSupplier;

/** Calls a handler for a whole claim, and settles what it left. */
final class WholeClaim implements ClaimHandler {

    private final Claiming stage;
    private final Watcher watcher;
    private final BatchHandler handler;

    /** For the position of each message that the handler does not get, why. */
    private final Map<Long, Throwable> refused;

    WholeClaim(Claiming stage, BatchHandler handler) {
        this(stage, handler, Map.of());
    }

    /** For one claim, some of whose messages the handler does not get; they fail. */
    WholeClaim(Claiming stage, BatchHandler handler, Map<Long, Throwable> refused) {
        this.stage = stage;
        this.watcher = stage.watcher();
        this.handler = handler;
        this.refused = refused;
    }

    @Override
    public Word handle(Claim claim, BooleanSupplier stopping) {
        try {
            handler.handle(claim);
        } catch (Throwable e) {
            return failure(claim, e);
        }
        if (!refused.isEmpty()) {
            return besidesRefused(claim);
        }
        // Whether a caller's transaction committed is not known here: what did is out of this hand.
        return Word.rest(claim.elsewhere().spoke() ? Rest.GIVE_BACK : Rest.DONE);
    }

    /**
     * The handler returned, and the refused have failed; but in an ordered stage, if a transaction
     * reported on those before them, they come again first, as nobody knows here whether it
     * committed.
     */
    private Word besidesRefused(Claim claim) {
        boolean ordered = claim.mode() == Mode.ORDERED;
        boolean spoke = claim.elsewhere().spoke();
        if (ordered && spoke) {
            return Word.rest(Rest.GIVE_BACK);
        }
        List<Delivery> left = claim.left().stream().filter(this::isRefused).toList();
        List<Delivery> unnamed = claim.elsewhere().unnamed(left);
        watcher.failed(stage.name(), left, it -> refused.get(it.position()));
        List<Failed> failed = failed(unnamed, null);
        if (ordered) {
            return new Word(Batch.before(claim, refused.keySet()), failed, Rest.GIVE_BACK);
        }
        return new Word(List.of(), failed, spoke ? Rest.GIVE_BACK : Rest.DONE);
    }

    /**
     * What is left has failed. If transactions named some of it, those that committed have settled
     * that, and a word that names it is refused: then the likeliest is said. Each handles a message
     * and names it, and the handler threw in the last one, which rolled back, or behind that.
     */
    private Word failure(Claim claim, Throwable error) {
        List<Delivery> left = claim.left();
        if (left.isEmpty()) {
            tellOfNone(claim, error);
        }
        List<Delivery> unnamed = claim.elsewhere().unnamed(left);
        List<Delivery> withLast = claim.elsewhere().unnamedAndLast(left);
        boolean ordered = claim.mode() == Mode.ORDERED;
        boolean all = unnamed.stream().allMatch(this::isRefused);
        watcher.failed(
                stage.name(), failing(all ? withLast : unnamed, ordered), it -> why(it, error));
        Word last = new Word(List.of(), failed(failing(unnamed, ordered), error), Rest.GIVE_BACK);
        Word likelier =
                new Word(
                        List.of(), failed(failing(withLast, ordered), error), Rest.GIVE_BACK, last);
        return new Word(List.of(), failed(failing(left, ordered), error), Rest.GIVE_BACK, likelier);
    }

    /** No message fails by an error; but who only passes on that the claim is lost says no news. */
    private void tellOfNone(Claim claim, Throwable error) {
        boolean lost = claim.isLost();
        if (!lost || !(error instanceof Fenced || error.getCause() instanceof Fenced)) {
            String when = lost ? "when its claim was lost" : "behind its last word";
            String what = "a handler of stage '" + stage.name() + "' threw " + when + ": ";
            watcher.storeFailed(new SlipringException(what + Watcher.words(error), error));
        }
    }

    /** Of an ordered claim only the first can fail: what is behind it has to wait for it. */
    private static List<Delivery> failing(List<Delivery> left, boolean ordered) {
        return ordered && !left.isEmpty() ? left.subList(0, 1) : left;
    }

    private List<Failed> failed(List<Delivery> deliveries, Throwable error) {
        return deliveries.stream()
                .map(it -> new Failed(it.position(), Watcher.words(why(it, error))))
                .toList();
    }

    private boolean isRefused(Delivery delivery) {
        return refused.containsKey(delivery.position());
    }

    private Throwable why(Delivery delivery, Throwable error) {
        return refused.getOrDefault(delivery.position(), error);
    }
}
