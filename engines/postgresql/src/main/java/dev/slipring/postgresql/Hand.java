// SPDX-License-Identifier: Apache-2.0
package dev.slipring.postgresql;

import dev.slipring.ledger.ClaimRow;

import java.util.BitSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A claim as it stands in its strand: a {@code slipring.hand} of the schema.
 *
 * @param epoch its fencing number
 * @param retry whether it is of messages that had been set aside
 * @param held the positions that are not settled: {@code {[0,3),[5,9)}}
 * @param attempt the number of the attempt, from 1
 * @param worker who has it
 * @param expires when its lease runs out, in milliseconds since 1970
 * @param said the number of the last word that is folded in
 */
record Hand(
        long epoch,
        boolean retry,
        String held,
        int attempt,
        String worker,
        long expires,
        int said) {

    private static final Pattern RANGE = Pattern.compile("\\[(\\d+),(\\d+)\\)");

    /** The same as the ledger sees it. */
    ClaimRow row(String stage, int lane) {
        long from = -1;
        long to = -1;
        BitSet settled = new BitSet();
        for (Matcher range = RANGE.matcher(held); range.find(); ) {
            long lower = Long.parseLong(range.group(1));
            from = from < 0 ? lower : from;
            if (to >= 0) {
                settled.set((int) (to - from), (int) (lower - from));
            }
            to = Long.parseLong(range.group(2));
        }
        return new ClaimRow(stage, lane, epoch, from, to, settled, attempt, worker, expires);
    }
}
