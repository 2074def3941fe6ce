// SPDX-License-Identifier: Apache-2.0
package dev.slipring;

/** Why a push was refused, for each of those who pushed together: one reason refused them all. */
final class Refusal {

    private Refusal() {}

    /**
     * An exception for the caller alone, with the trace of his call, and the shared one as its
     * cause; the shared one itself where it is of no kind that pushes are refused with.
     */
    static RuntimeException here(RuntimeException shared) {
        RuntimeException own = retold(shared);
        if (own != shared && own.getCause() == null) {
            own.initCause(shared);
        }
        return own;
    }

    private static RuntimeException retold(RuntimeException shared) {
        String words = shared.getMessage();
        if (shared instanceof RingFull full) {
            return new RingFull(words, full.freeMessages(), full.freeBytes());
        } else if (shared instanceof LaneKept kept) {
            return new LaneKept(words, kept.lanes());
        } else if (shared instanceof RingBroken broken) {
            return new RingBroken(broken);
        } else if (shared instanceof StoreUnreachable) {
            return new StoreUnreachable(words);
        } else if (shared instanceof StoreFailed) {
            return new StoreFailed(words);
        } else if (shared instanceof OutcomeUnknown) {
            return new OutcomeUnknown(words);
        } else if (shared instanceof NoSuchRing) {
            return new NoSuchRing(words);
        }
        return shared;
    }
}
