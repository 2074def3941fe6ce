// SPDX-License-Identifier: Apache-2.0
package dev.slipring.torture.judge;

import java.util.Arrays;

/** A number for each position of a lane, -1 where there is none yet. */
final class Column {

    private int[] values = new int[0];

    int get(long at) {
        return at < values.length ? values[(int) at] : -1;
    }

    void set(long at, int value) {
        int index = Math.toIntExact(at);
        if (index >= values.length) {
            int old = values.length;
            values = Arrays.copyOf(values, Math.max(index + 1, old + old / 2 + 1_024));
            Arrays.fill(values, old, values.length, -1);
        }
        values[index] = value;
    }

    int size() {
        return values.length;
    }
}
