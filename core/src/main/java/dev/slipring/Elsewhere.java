// SPDX-License-Identifier: Apache-2.0
package dev.slipring;

import dev.slipring.engine.Settlement.Failed;

import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * What transactions of a caller said of a claim. Whether they committed is not known here.
 * Thread-safe.
 */
final class Elsewhere {

    private volatile boolean spoke;

    /** The positions that were named; last the one that was named last. */
    private final Set<Long> named = new LinkedHashSet<>();

    /** A transaction says this. */
    synchronized void speak(Word word) {
        spoke = true;
        word.done().stream().map(Delivery::position).forEach(this::name);
        word.failed().stream().map(Failed::position).forEach(this::name);
    }

    private void name(long position) {
        named.remove(position);
        named.add(position);
    }

    /** Whether any said something. */
    boolean spoke() {
        return spoke;
    }

    /** Those of some messages that none named. */
    synchronized List<Delivery> unnamed(List<Delivery> messages) {
        return messages.stream().filter(it -> !named.contains(it.position())).toList();
    }

    /** Those of some messages that none named, and the one that was named last. */
    synchronized List<Delivery> unnamedAndLast(List<Delivery> messages) {
        long last = named.stream().reduce(-1L, (before, position) -> position);
        return messages.stream()
                .filter(it -> it.position() == last || !named.contains(it.position()))
                .toList();
    }
}
