// SPDX-License-Identifier: Apache-2.0
package dev.slipring.jdbc;

import dev.slipring.StoreFailed;
import dev.slipring.ledger.ClaimRow;

import java.util.BitSet;
import java.util.Collection;
import java.util.HexFormat;
import java.util.function.ToLongFunction;
import java.util.regex.Pattern;

/**
 * The claims of a strand as a text, one line each: epoch, first, end, attempt, expires, the number
 * of the slot where it begins, settled, worker.
 */
final class ClaimText {

    private static final int FIELDS = 8;
    private static final Pattern LINE_ENDS = Pattern.compile("\\R");

    private ClaimText() {}

    static String write(Collection<ClaimRow> claims, ToLongFunction<ClaimRow> turn) {
        StringBuilder text = new StringBuilder();
        for (ClaimRow claim : claims) {
            text.append(begin(claim)).append(claim.expires());
            text.append(end(claim, turn.applyAsLong(claim)));
        }
        return text.toString();
    }

    /** A line up to when the claim runs out. */
    static String begin(ClaimRow claim) {
        return claim.epoch() + " " + claim.from() + " " + claim.to() + " " + claim.attempt() + " ";
    }

    /** What of a line follows that. */
    static String end(ClaimRow claim, long turn) {
        byte[] settled = claim.settled().toByteArray();
        return " "
                + turn
                + " "
                + (settled.length == 0 ? "-" : HexFormat.of().formatHex(settled))
                + " "
                + bare(claim.worker())
                + "\n";
    }

    /** A worker's name without the ends of lines. */
    static String bare(String worker) {
        return LINE_ENDS.matcher(worker).replaceAll(" ");
    }

    static void read(String stage, int lane, String text, LineReader reader) {
        text.lines().forEach(line -> readLine(stage, lane, line, reader));
    }

    private static void readLine(String stage, int lane, String line, LineReader reader) {
        String[] field = line.split(" ", FIELDS);
        ClaimRow claim;
        long turn;
        try {
            claim = claim(stage, lane, field);
            turn = Long.parseLong(field[5]);
        } catch (IndexOutOfBoundsException | IllegalArgumentException e) {
            throw new StoreFailed(
                    "the row of stage '"
                            + stage
                            + "' in lane "
                            + lane
                            + " in slipring_strand is damaged: its column claims has a line '"
                            + line
                            + "'",
                    e);
        }
        reader.claim(claim, turn);
    }

    /** Which messages of a claim are settled, as a line says it. */
    static BitSet settled(String field) {
        return field.equals("-") ? new BitSet() : BitSet.valueOf(HexFormat.of().parseHex(field));
    }

    private static ClaimRow claim(String stage, int lane, String[] field) {
        return new ClaimRow(
                stage,
                lane,
                Long.parseLong(field[0]),
                Long.parseLong(field[1]),
                Long.parseLong(field[2]),
                settled(field[6]),
                Integer.parseInt(field[3]),
                field[7],
                Long.parseLong(field[4]));
    }

    /** Takes a claim. */
    interface LineReader {
        void claim(ClaimRow claim, long turn);
    }
}
