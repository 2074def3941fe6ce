// SPDX-License-Identifier: Apache-2.0
package dev.slipring.memory;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Map;

/** Changes maps and knows how to change them back. */
final class UndoLog {

    private final Deque<Runnable> steps = new ArrayDeque<>();

    <K, V> void put(Map<K, V> map, K key, V value) {
        V old = map.put(key, value);
        steps.push(() -> restore(map, key, old));
    }

    <K, V> V remove(Map<K, V> map, K key) {
        V old = map.remove(key);
        steps.push(() -> restore(map, key, old));
        return old;
    }

    private static <K, V> void restore(Map<K, V> map, K key, V old) {
        if (old == null) {
            map.remove(key);
        } else {
            map.put(key, old);
        }
    }

    /** Ends a transaction: forgets its changes, or takes them back, the last first. */
    void end(boolean committed) {
        if (!committed) {
            steps.forEach(Runnable::run);
        }
        steps.clear();
    }
}
