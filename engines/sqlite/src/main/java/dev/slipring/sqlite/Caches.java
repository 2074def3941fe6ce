// SPDX-License-Identifier: Apache-2.0
package dev.slipring.sqlite;

import dev.slipring.graph.Shape;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * What a store remembers between its transactions. Only what was committed may come in here.
 *
 * @param shapes the shapes of rings by name; right for a transaction that finds the same id and
 *     version
 * @param bodies the bodies of large slots
 */
record Caches(Map<String, Shape> shapes, BodyCache bodies) {

    Caches() {
        this(new ConcurrentHashMap<>(), new BodyCache());
    }
}
