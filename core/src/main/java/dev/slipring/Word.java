// SPDX-License-Identifier: Apache-2.0
package dev.slipring;

import dev.slipring.engine.Settlement;
import dev.slipring.engine.Settlement.Failed;
import dev.slipring.engine.Settlement.Rest;
import dev.slipring.engine.Ticket;
import dev.slipring.graph.Mode;

import java.util.List;

/**
 * What a worker says about a claim.
 *
 * @param done the messages that are done
 * @param failed the messages that failed
 * @param rest what becomes of the others
 * @param otherwise what to say if a message that it names is settled already, or null
 */
record Word(List<Delivery> done, List<Failed> failed, Rest rest, Word otherwise) {

    /** A word in whose place there is no other. */
    Word(List<Delivery> done, List<Failed> failed, Rest rest) {
        this(done, failed, rest, null);
    }

    /** That a message is done. */
    static Word done(Delivery delivery) {
        return new Word(List.of(delivery), List.of(), Rest.KEEP);
    }

    /** That a message failed. */
    static Word failed(Failed failed) {
        return new Word(List.of(), List.of(failed), Rest.KEEP);
    }

    /** About all that is left. */
    static Word rest(Rest rest) {
        return new Word(List.of(), List.of(), rest);
    }

    /** Whether it names messages, and is not about the rest alone. */
    boolean names() {
        return !done.isEmpty() || !failed.isEmpty();
    }

    /**
     * Whether it is no news to the workers of its stage, said of a claim: what is done in a pool
     * brings them nothing to claim. A retry that is done may end a stall.
     */
    boolean isOwnNews(Claim claim) {
        return claim.mode() == Mode.POOL
                && failed.isEmpty()
                && rest != Rest.GIVE_BACK
                && !claim.ticket().retry();
    }

    Settlement about(Ticket ticket) {
        return new Settlement(ticket, done.stream().map(Delivery::position).toList(), failed, rest);
    }
}
