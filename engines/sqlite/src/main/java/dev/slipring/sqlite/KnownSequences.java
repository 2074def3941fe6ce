// SPDX-License-Identifier: Apache-2.0
package dev.slipring.sqlite;

import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Predicate;

/**
 * What a connection knows of slipring_sequence: read when it is first asked for, changed here, and
 * written before the transaction is committed.
 */
final class KnownSequences<K, R extends KnownRows> {

    private final Statements statements;
    private final Function<K, R> reader;
    private final Map<K, R> known = new HashMap<>();
    private final Set<K> changed = new LinkedHashSet<>();
    private long changes;
    private int size;

    KnownSequences(Statements statements, Function<K, R> reader) {
        this.statements = statements;
        this.reader = reader;
    }

    /** The rows of a key. */
    R get(K key) {
        return known.computeIfAbsent(key, this::read);
    }

    /** The rows of a key if they are known; else null. */
    R peek(K key) {
        return known.get(key);
    }

    /** The rows of a key, which are about to be changed. */
    R change(K key) {
        R found = get(key);
        changed.add(key);
        changes++;
        size++;
        return found;
    }

    private R read(K key) {
        R found = reader.apply(key);
        size += 1 + found.size();
        return found;
    }

    /** How often anything was changed. */
    long changes() {
        return changes;
    }

    /** How many rows were read and changed since everything was forgotten. */
    int size() {
        return size;
    }

    /** Writes what was changed. */
    void write() {
        changed.forEach(key -> known.get(key).write(statements));
        changed.clear();
    }

    /** Forgets everything, written or not. */
    void forget() {
        known.clear();
        changed.clear();
        size = 0;
    }

    /** Forgets the rows of some keys, written or not. */
    void forget(Predicate<K> keys) {
        known.keySet().removeIf(keys);
        changed.removeIf(keys);
    }
}
