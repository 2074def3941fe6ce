// SPDX-License-Identifier: Apache-2.0
package dev.slipring.sqlite;

import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.NavigableMap;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.BiConsumer;

/**
 * Rows of a kind, as they were read and changed since. A row that is changed more than once in a
 * transaction is written once, at its end.
 */
final class Buffered<K extends Comparable<K>, V> {

    private final NavigableMap<K, V> rows = new TreeMap<>();
    private Set<K> changed = new LinkedHashSet<>();

    /** Takes a row as it was read. */
    void read(K key, V row) {
        rows.put(key, row);
    }

    /** A row; null if there is none. */
    V get(K key) {
        return rows.get(key);
    }

    /** How many rows there are. */
    int size() {
        return rows.size();
    }

    /** All rows, by key; the list may be changed. */
    List<V> all() {
        return new ArrayList<>(rows.values());
    }

    /** The rows from one key to another, both included. */
    Collection<V> between(K from, K to) {
        return rows.subMap(from, true, to, true).values();
    }

    /** Adds or replaces a row. */
    void put(K key, V row) {
        rows.put(key, row);
        changed.add(key);
    }

    void remove(K key) {
        rows.remove(key);
        changed.add(key);
    }

    /** Has the rows written that were changed; null stands for one that was removed. */
    void write(BiConsumer<K, V> writer) {
        for (K key : changed) {
            writer.accept(key, rows.get(key));
        }
        changed = new LinkedHashSet<>();
    }
}
