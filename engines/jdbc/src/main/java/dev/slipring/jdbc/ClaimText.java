// SPDX-License-Identifier: Apache-2.0
package dev.slipring.jdbc;

import dev.slipring.ledger.ClaimRow;

import java.util.BitSet;
import java.util.Collection;
import java.util.HexFormat;
import java.util.function.ToLongFunction;

/**
 * The claims of a strand as a text, one line each: epoch, first, end, attempt, expires, the number
 * of the slot where it begins, settled, worker.
 */
final class ClaimText {

    private static final int FIELDS = 8;

    private ClaimText() {}

    static String write(Collection<ClaimRow> claims, ToLongFunction<ClaimRow> turn) {
        StringBuilder text = new StringBuilder();
        for (ClaimRow claim : claims) {
            text.append(claim.epoch()).append(' ').append(claim.from()).append(' ');
            text.append(claim.to()).append(' ').append(claim.attempt()).append(' ');
            text.append(claim.expires()).append(' ').append(turn.applyAsLong(claim)).append(' ');
            byte[] settled = claim.settled().toByteArray();
            text.append(settled.length == 0 ? "-" : HexFormat.of().formatHex(settled));
            text.append(' ').append(bare(claim.worker())).append('\n');
        }
        return text.toString();
    }

    /** A worker's name without the ends of lines. */
    static String bare(String worker) {
        return worker.replaceAll("\\R", " ");
    }

    static void read(String stage, int lane, String text, LineReader reader) {
        text.lines()
                .forEach(
                        line -> {
                            String[] field = line.split(" ", FIELDS);
                            reader.claim(claim(stage, lane, field), Long.parseLong(field[5]));
                        });
    }

    private static ClaimRow claim(String stage, int lane, String[] field) {
        BitSet settled =
                field[6].equals("-")
                        ? new BitSet()
                        : BitSet.valueOf(HexFormat.of().parseHex(field[6]));
        return new ClaimRow(
                stage,
                lane,
                Long.parseLong(field[0]),
                Long.parseLong(field[1]),
                Long.parseLong(field[2]),
                settled,
                Integer.parseInt(field[3]),
                field[7],
                Long.parseLong(field[4]));
    }

    /** Takes a claim. */
    interface LineReader {
        void claim(ClaimRow claim, long turn);
    }
}
