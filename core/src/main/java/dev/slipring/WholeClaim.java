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
        return Word.rest(claim.isSpokenForElsewhere() ? Rest.GIVE_BACK : Rest.DONE);
    }

    private Word failure(Claim claim, Throwable error) {
        List<Delivery> left = claim.left();
        left.forEach(delivery -> watcher.failed(stage.name(), delivery, error));
        // Of an ordered claim only the first can fail: what is behind it has to wait for it.
        boolean ordered = claim.mode() == Mode.ORDERED;
        List<Delivery> failing = ordered && !left.isEmpty() ? left.subList(0, 1) : left;
        String words = Watcher.words(error);
        List<Failed> failed =
                failing.stream()
                        .map(delivery -> new Failed(delivery.position(), words, -1))
                        .toList();
        return new Word(List.of(), failed, Rest.GIVE_BACK);
    }
}
