// SPDX-License-Identifier: Apache-2.0
package dev.slipring;

import dev.slipring.engine.Settlement.Failed;
import dev.slipring.engine.Settlement.Rest;
import dev.slipring.graph.Mode;
import dev.slipring.watch.Watcher;

import java.util.ArrayList;
import java.util.List;
import java.util.function.BooleanSupplier;

/** Calls a handler for each message of a claim, and settles them together. */
final class EachMessage implements ClaimHandler {

    private final Claiming stage;
    private final Handler handler;

    EachMessage(Claiming stage, Handler handler) {
        this.stage = stage;
        this.handler = handler;
    }

    @Override
    public Word handle(Claim claim, BooleanSupplier stopping) {
        List<Delivery> done = new ArrayList<>();
        List<Failed> failed = new ArrayList<>();
        for (Delivery delivery : claim.deliveries()) {
            if (stopping.getAsBoolean() || !claim.hasLeft() || mustWait(claim, failed)) {
                break;
            }
            try {
                handler.handle(delivery);
                done.add(delivery);
            } catch (Throwable e) {
                stage.watcher().failed(stage.name(), delivery, e);
                failed.add(new Failed(delivery.position(), Watcher.words(e)));
            }
        }
        boolean all = done.size() == claim.deliveries().size();
        return all ? Word.rest(Rest.DONE) : new Word(done, failed, Rest.GIVE_BACK);
    }

    /** Behind a failure nothing of an ordered claim may be handled. */
    private static boolean mustWait(Claim claim, List<Failed> failed) {
        return claim.mode() == Mode.ORDERED && !failed.isEmpty();
    }
}
