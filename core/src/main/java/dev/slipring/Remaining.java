// SPDX-License-Identifier: Apache-2.0
package dev.slipring;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The messages of a claim that nothing was said about. Each method holds the lock for a moment
 * only, so whoever looks does not wait for who speaks to the store. Thread-safe.
 */
final class Remaining {

    private final List<Delivery> all;

    /** By position; null until one of them is named. */
    private Map<Long, Delivery> byPosition;

    /** What is left, by position; null as long as that is all. */
    private Map<Long, Delivery> left;

    /** All of a claim, in their order. */
    Remaining(List<Delivery> all) {
        this.all = all;
    }

    /** What is left, in the order of the claim. */
    synchronized List<Delivery> list() {
        return left == null ? all : List.copyOf(left.values());
    }

    /** How many are left. */
    synchronized int count() {
        return left == null ? all.size() : left.size();
    }

    /** Whether a message is one of the claim's, left or not: elsewhere others have its position. */
    synchronized boolean isOfClaim(Delivery delivery) {
        return byPosition().get(delivery.position()) == delivery;
    }

    /** What a word names is left no more. */
    synchronized void strike(Word word) {
        if (count() == 0 || !word.names()) {
            return;
        }
        if (left == null) {
            left = new LinkedHashMap<>(byPosition());
        }
        word.done().forEach(delivery -> left.remove(delivery.position()));
        word.failed().forEach(failure -> left.remove(failure.position()));
    }

    /** Nothing is left. */
    synchronized void clear() {
        left = Map.of();
    }

    private Map<Long, Delivery> byPosition() {
        if (byPosition == null) {
            Map<Long, Delivery> positions = new LinkedHashMap<>();
            all.forEach(delivery -> positions.put(delivery.position(), delivery));
            byPosition = positions;
        }
        return byPosition;
    }
}
