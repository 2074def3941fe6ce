// SPDX-License-Identifier: Apache-2.0
package dev.slipring.jdbc;

import dev.slipring.engine.Shape;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * What a store remembers between its transactions.
 *
 * @param shapes the shapes of rings; who goes by one sees to it that it is true
 * @param room which rings are short of room
 * @param slots slots that were committed
 */
record Memo(Map<String, Shape> shapes, Room room, SlotCache slots) {

    Memo() {
        this(new ConcurrentHashMap<>(), new Room(), new SlotCache());
    }

    /** The same with no shape known. */
    Memo withoutShapes() {
        return new Memo(new ConcurrentHashMap<>(), room, slots);
    }
}
