// SPDX-License-Identifier: Apache-2.0
package dev.slipring.kit.steps;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.slipring.Fenced;
import dev.slipring.engine.Claimed;
import dev.slipring.engine.Settlement;
import dev.slipring.engine.Settlement.Rest;
import dev.slipring.engine.Store;
import dev.slipring.engine.Ticket;
import dev.slipring.kit.steps.StageOracle.Id;

import java.util.TreeMap;

/** A claim, by the oracle's own account: which messages are left in it, and until when. */
final class ClaimOracle {

    final StageOracle stage;
    final Ticket ticket;
    final TreeMap<Long, Integer> left = new TreeMap<>();
    long expires;
    boolean fenced;

    ClaimOracle(StageOracle stage, Claimed claimed, long expires) {
        this.stage = stage;
        this.ticket = claimed.ticket();
        this.expires = expires;
        claimed.deliveries().forEach(delivery -> left.put(delivery.position(), delivery.attempt()));
    }

    /**
     * Repeats a word, as a worker does that did not get the answer: it is refused, and does
     * nothing.
     */
    void sayAgain(Store store, String ring, Settlement word) {
        boolean ends = word.rest() == Rest.DONE || word.rest() == Rest.GIVE_BACK;
        if (ends || !word.done().isEmpty() || !word.failed().isEmpty()) {
            assertThatThrownBy(() -> store.settle(ring, word))
                    .isInstanceOfAny(Fenced.class, IllegalArgumentException.class);
        }
    }

    boolean isLive(long now) {
        return !fenced && !left.isEmpty() && expires > now;
    }

    Id id(long position) {
        return new Id(ticket.lane(), position);
    }

    /** Whether a message becomes dead when the lease runs out. */
    boolean isDying(Id id) {
        return left.getOrDefault(id.position(), 0) >= stage.spec.tries();
    }
}
