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
    public void handle(Claim claim, BooleanSupplier stopping) {
        try {
            handler.handle(claim);
        } catch (Throwable e) {
            if (e instanceof InterruptedException) {
                Thread.currentThread().interrupt();
            }
            fail(claim, e);
            return;
        }
        if (claim.isSpokenForElsewhere()) {
            claim.close();
        } else {
            claim.done();
        }
    }

    private void fail(Claim claim, Throwable error) {
        List<Delivery> left = claim.left();
        if (left.isEmpty()) {
            return;
        }
        left.forEach(delivery -> watcher.failed(stage.name(), delivery, error));
        // Of an ordered claim only the first can fail: what is behind it has to wait for it.
        List<Delivery> failing = stage.spec().mode() == Mode.ORDERED ? left.subList(0, 1) : left;
        String words = ClaimHandler.words(error);
        claim.settle(
                List.of(),
                failing.stream()
                        .map(delivery -> new Failed(delivery.position(), words, -1))
                        .toList(),
                Rest.GIVE_BACK);
    }
}
