// SPDX-License-Identifier: Apache-2.0
package dev.slipring.sql;

import dev.slipring.ledger.AsideHead;
import dev.slipring.ledger.AsideRow;
import dev.slipring.ledger.Strand;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Arrays;

/** The columns of the ledger's rows, which every engine names in the same order. */
public final class LedgerColumns {

    private LedgerColumns() {}

    /**
     * A message set aside: stage, lane, position, state, blocks, attempts, due, epoch, error,
     * worker, failed at, pushed at, message.
     *
     * @param state what column 4 says; engines write it in different ways
     */
    public static AsideRow aside(ResultSet row, AsideRow.State state) throws SQLException {
        return aside(row, state, row.getBytes(13));
    }

    /** The same, but for column 13, which is how long the message is. */
    public static AsideHead head(ResultSet row, AsideRow.State state) throws SQLException {
        return new AsideHead(aside(row, state, new byte[0]), row.getLong(13));
    }

    private static AsideRow aside(ResultSet row, AsideRow.State state, byte[] message)
            throws SQLException {
        return new AsideRow(
                row.getString(1),
                row.getInt(2),
                row.getLong(3),
                state,
                row.getBoolean(5),
                row.getInt(6),
                row.getLong(7),
                row.getLong(8),
                row.getString(9),
                row.getString(10),
                row.getLong(11),
                row.getLong(12),
                message);
    }

    /**
     * How a stage stands in a lane: start, claimed, done, high, epoch, waiting, dead, dropped, kept
     * bytes, redelivered, failed.
     *
     * @param from the column of the first of them
     */
    public static Strand strand(String stage, int lane, ResultSet row, int from)
            throws SQLException {
        return new Strand(
                stage,
                lane,
                row.getLong(from),
                row.getLong(from + 1),
                row.getLong(from + 2),
                row.getLong(from + 3),
                row.getLong(from + 4),
                row.getLong(from + 5),
                row.getLong(from + 6),
                row.getLong(from + 7),
                row.getLong(from + 8),
                row.getLong(from + 9),
                row.getLong(from + 10));
    }

    /** The numbers that {@link #strand} reads, in their order. */
    public static Long[] numbers(Strand strand) {
        return new Long[] {
            strand.start(),
            strand.claimed(),
            strand.done(),
            strand.high(),
            strand.epoch(),
            strand.waiting(),
            strand.dead(),
            strand.dropped(),
            strand.keptBytes(),
            strand.redelivered(),
            strand.failed()
        };
    }

    /** The same with other values behind, as a statement takes them that writes the row. */
    public static Object[] values(Strand strand, Object... behind) {
        Long[] first = numbers(strand);
        Object[] all = Arrays.copyOf(first, first.length + behind.length, Object[].class);
        System.arraycopy(behind, 0, all, first.length, behind.length);
        return all;
    }
}
