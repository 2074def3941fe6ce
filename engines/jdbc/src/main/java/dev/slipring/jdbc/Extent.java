// SPDX-License-Identifier: Apache-2.0
package dev.slipring.jdbc;

import dev.slipring.StoreFailed;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;

/**
 * A piece of a lane's cells, with laps of its own.
 *
 * @param from the number of the first slot that stands in it
 * @param cell its first cell
 * @param cells how many cells it has
 */
record Extent(long from, long cell, long cells) {

    /** The cell of a slot. */
    long of(long turn) {
        return cell + (turn - from) % cells;
    }

    /** How many slots from a number on stand in neighbouring cells. */
    long straight(long turn) {
        return cells - (turn - from) % cells;
    }

    /** The extent of a slot. */
    static Extent at(List<Extent> extents, long turn) {
        Extent found = extents.get(0);
        for (Extent extent : extents) {
            found = extent.from() <= turn ? extent : found;
        }
        return found;
    }

    /** Reads a list. */
    static List<Extent> parse(String text) {
        try {
            return read(text);
        } catch (IndexOutOfBoundsException | NumberFormatException e) {
            throw new StoreFailed(
                    "a row of slipring_lane is damaged: its column extents is '"
                            + text
                            + "'; it should be lists of three numbers, like 0:0:128",
                    e);
        }
    }

    private static List<Extent> read(String text) {
        return Arrays.stream(text.split(","))
                .map(part -> part.split(":"))
                .map(
                        part ->
                                new Extent(
                                        Long.parseLong(part[0]),
                                        Long.parseLong(part[1]),
                                        Math.max(1, Long.parseLong(part[2]))))
                .collect(Collectors.toCollection(ArrayList::new));
    }

    /** Writes a list. */
    static String text(List<Extent> extents) {
        return extents.stream()
                .map(extent -> extent.from() + ":" + extent.cell() + ":" + extent.cells())
                .collect(Collectors.joining(","));
    }
}
