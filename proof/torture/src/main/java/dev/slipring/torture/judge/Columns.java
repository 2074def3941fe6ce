// SPDX-License-Identifier: Apache-2.0
package dev.slipring.torture.judge;

import java.util.Map;
import java.util.TreeMap;

/** A column for each lane, or for each producer. */
final class Columns {

    private final Map<Integer, Column> all = new TreeMap<>();

    Column of(int which) {
        return all.computeIfAbsent(which, key -> new Column());
    }

    Map<Integer, Column> all() {
        return all;
    }
}
