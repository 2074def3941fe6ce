// SPDX-License-Identifier: Apache-2.0
package dev.slipring;

import dev.slipring.engine.Settlement.Failed;
import dev.slipring.engine.Settlement.Rest;
import dev.slipring.graph.Mode;
import dev.slipring.watch.Watcher;

import java.util.List;
import java.util.function.BooleanSupplier;

/** Calls a handler for a whole claim, and settles what it left. */
final class WholeClaim implements ClaimHandler {

    private final Stage stage;
    private final Watcher watcher;
    private final BatchHandler handler;

    WholeClaim(Stage stage, Watcher watcher, BatchHandler handler) {
        this.stage = stage;
        this.watcher = watcher;
        this.handler = handler;
    }

    @Override
    public Word handle(Claim claim, BooleanSupplier stopping) {
        try {
            handler.handle(claim);
        } catch (Throwable e) {
            return failure(claim, e);
        }
        // Whether a caller's transaction committed is not known here: what did is out of this hand.
        return Word.rest(claim.elsewhere().spoke() ? Rest.GIVE_BACK : Rest.DONE);
    }

    /**
     * What is left has failed. If transactions named some of it, those that committed have settled
     * that, and a word that names it is refused: then the likeliest is said. Each handles a message
     * and names it, and the handler threw in the last one, which rolled back, or behind that.
     */
    private Word failure(Claim claim, Throwable error) {
        List<Delivery> left = claim.left();
        if (left.isEmpty() && !claim.isLost()) {
            String what = "a handler of stage '" + stage.name() + "' threw behind its last word: ";
            watcher.storeFailed(new SlipringException(what + Watcher.words(error), error));
        }
        List<Delivery> unnamed = claim.elsewhere().unnamed(left);
        List<Delivery> withLast = claim.elsewhere().unnamedAndLast(left);
        boolean ordered = claim.mode() == Mode.ORDERED;
        failing(unnamed.isEmpty() ? withLast : unnamed, ordered)
                .forEach(delivery -> watcher.failed(stage.name(), delivery, error));
        String words = Watcher.words(error);
        Word last = new Word(List.of(), failed(failing(unnamed, ordered), words), Rest.GIVE_BACK);
        Word likelier =
                new Word(
                        List.of(), failed(failing(withLast, ordered), words), Rest.GIVE_BACK, last);
        return new Word(List.of(), failed(failing(left, ordered), words), Rest.GIVE_BACK, likelier);
    }

    /** Of an ordered claim only the first can fail: what is behind it has to wait for it. */
    private static List<Delivery> failing(List<Delivery> left, boolean ordered) {
        return ordered && !left.isEmpty() ? left.subList(0, 1) : left;
    }

    private static List<Failed> failed(List<Delivery> deliveries, String words) {
        return deliveries.stream()
                .map(delivery -> new Failed(delivery.position(), words, -1))
                .toList();
    }
}
