// SPDX-License-Identifier: Apache-2.0
package dev.slipring.torture.judge;

import java.util.Arrays;
import java.util.List;

/**
 * Neighbouring messages that one producer pushed one after the other.
 *
 * @param position the first one's position in its lane
 * @param count how many
 * @param producer the producer that pushed them
 * @param number the first one's number with that producer
 * @param attempt the number of the attempt, from 1
 */
public record Run(long position, int count, int producer, int number, int attempt) {

    static List<Run> parse(String text) {
        return text.isEmpty() ? List.of() : Arrays.stream(text.split(";")).map(Run::one).toList();
    }

    private static Run one(String text) {
        String[] part = text.split(",");
        return new Run(
                Long.parseLong(part[0]),
                Integer.parseInt(part[1]),
                Integer.parseInt(part[2]),
                Integer.parseInt(part[3]),
                Integer.parseInt(part[4]));
    }

    long end() {
        return position + count;
    }

    boolean holds(long at) {
        return at >= position && at < end();
    }
}
