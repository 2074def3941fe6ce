// SPDX-License-Identifier: Apache-2.0
package dev.slipring.kit;

import dev.slipring.engine.Lanes;

import java.util.stream.IntStream;
import java.util.stream.Stream;

/** Keys whose messages go into a certain lane. */
public final class Keys {

    private Keys() {}

    /** The first key of a lane, in a ring of this many lanes. */
    public static String of(int lane, int lanes) {
        return all(lane, lanes).findFirst().orElseThrow();
    }

    /** All keys of a lane, without end, in a ring of this many lanes. */
    public static Stream<String> all(int lane, int lanes) {
        return IntStream.iterate(0, i -> i + 1)
                .mapToObj(i -> "key" + i)
                .filter(any -> Lanes.of(any, lanes) == lane);
    }
}
