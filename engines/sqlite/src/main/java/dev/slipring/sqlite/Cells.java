// SPDX-License-Identifier: Apache-2.0
package dev.slipring.sqlite;

import dev.slipring.ledger.SlotRow;
import dev.slipring.sqlite.BodyCache.At;
import dev.slipring.sqlite.BodyCache.Body;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The cells in which the bodies of large slots stand. A cell is filled again when its slot has been
 * released: SQLite writes a value over another of the same length where it stands, in about two
 * thirds of the time that it takes to free the pages of one and to find pages for the other. So a
 * cell has one of few sizes, and its body is followed by zeros.
 */
final class Cells {

    /** The cell of a slot that has its body in its own row. */
    static final long NONE = 0;

    /** The body in the row of a slot that has a cell. */
    static final byte[] ELSEWHERE = {};

    /** Columns of a slot, as they are selected. */
    private static final int COUNT = 2;

    private static final int BYTES = 3;

    private static final int PUSHED_AT = 6;

    private static final int CELL = 7;
    private static final int BODY = 8;

    /** A body up to this length stands in the row of its slot, so that several share a page. */
    static final int MOST_IN_ROW = 8_000;

    /** What a page of 32 KiB holds of a long value, and what its row takes of the first one. */
    private static final int PAGE = 32_764;

    private static final int RIM = 40;

    /** A larger array is not worth keeping. */
    private static final int MOST_SCRATCH = 1 << 20;

    /** A larger body has a cell of its own length: its copy may be what the heap cannot hold. */
    private static final int MOST_PADDED = 16 << 20;

    private final Statements statements;
    private final BodyCache cache;

    /** Kept, since bodies in a row are mostly alike and a new array costs more than the copy. */
    private byte[] scratch = ELSEWHERE;

    /** Bodies in cells that this transaction wrote, to be remembered if it commits. */
    private final Map<At, Body> written = new HashMap<>();

    /** Bodies in cells that it read, likewise. */
    private final Map<At, Body> read = new HashMap<>();

    private final Witness witness;

    Cells(Statements statements, BodyCache cache, Witness witness) {
        this.statements = statements;
        this.cache = cache;
        this.witness = witness;
    }

    /** Is told which bodies are read. */
    @FunctionalInterface
    interface Witness {

        /** Nobody wants to know. */
        Witness NONE = (at, count, bytes, missed) -> {};

        /**
         * The body of a slot is read.
         *
         * @param at the slot
         * @param count how many messages it has
         * @param bytes how long the body is
         * @param missed whether it was not in memory
         */
        void read(At at, int count, int bytes, boolean missed);
    }

    void end(boolean committed) {
        if (committed) {
            cache.keepPushed(written);
            cache.keep(read);
        }
        written.clear();
        read.clear();
    }

    /**
     * How long the cell of a body is: an eighth longer than the body at most, and no longer than
     * the pages that the body needs anyway, since pages are written as a whole. One of more than 16
     * MiB is as long as its body.
     */
    static int size(int bytes) {
        if (bytes > MOST_PADDED) {
            return bytes;
        }
        int step = Integer.highestOneBit(bytes) >> 3;
        int pages = (bytes + RIM + PAGE - 1) / PAGE;
        if (step < PAGE) {
            return Math.min((bytes + step - 1) / step * step, pages * PAGE - RIM);
        }
        int group = step / PAGE;
        return (pages + group - 1) / group * group * PAGE - RIM;
    }

    /** Whether a body stands in the row of its slot. */
    static boolean isInRow(int bytes) {
        return bytes <= MOST_IN_ROW;
    }

    /** Stores a body in a spare cell, or a new one; returns which, or that it needs none. */
    long put(At at, SlotRow slot, long spare) {
        byte[] body = slot.body();
        if (isInRow(body.length)) {
            return NONE;
        }
        byte[] padded = padded(body);
        long cell = spare;
        if (spare == NONE) {
            cell = statements.number("SELECT max(id) FROM slipring_cell").orElse(NONE) + 1;
            statements.update("INSERT INTO slipring_cell (body, id) VALUES (?, ?)", padded, cell);
        } else {
            statements.update("UPDATE slipring_cell SET body = ? WHERE id = ?", padded, cell);
        }
        written.put(at, new Body(body, slot.pushedAt()));
        return cell;
    }

    /** A body with zeros behind it; good until the next one. */
    private byte[] padded(byte[] body) {
        int size = size(body.length);
        if (size == body.length) {
            return body;
        }
        byte[] padded = scratch.length == size ? scratch : new byte[size];
        System.arraycopy(body, 0, padded, 0, body.length);
        Arrays.fill(padded, body.length, size, (byte) 0);
        if (size <= MOST_SCRATCH) {
            scratch = padded;
        }
        return padded;
    }

    /** Of the cells that slots leave behind, one that is right for a body; removes the others. */
    long oneOf(List<Left> cells, int bytes) {
        long found = NONE;
        for (Left left : cells) {
            if (found == NONE && !isInRow(bytes) && size(left.bytes) == size(bytes)) {
                found = left.cell;
            } else if (left.cell != NONE) {
                statements.update("DELETE FROM slipring_cell WHERE id = ?", left.cell);
            }
        }
        return found;
    }

    /** Removes the cells of a range of slots. */
    void clear(long first, long last) {
        statements.update(
                "DELETE FROM slipring_cell WHERE id IN (SELECT cell FROM slipring_slot"
                        + " WHERE id >= ? AND id <= ? AND cell > 0)",
                first,
                last);
    }

    /** A slot is released: only a stage that is rewound asks for its body again. */
    void released(At at) {
        cache.forget(at);
        written.remove(at);
        read.remove(at);
    }

    /** The body of a slot, perhaps with zeros behind it. */
    byte[] read(At at, ResultSet slot) throws SQLException {
        if (slot.getLong(CELL) == NONE) {
            return slot.getBytes(BODY);
        }
        long pushedAt = slot.getLong(PUSHED_AT);
        byte[] known = cache.get(at, pushedAt);
        if (known == null && read.containsKey(at)) {
            known = read.get(at).bytes();
        }
        witness.read(at, slot.getInt(COUNT), slot.getInt(BYTES), known == null);
        if (known == null) {
            known = cell(slot.getLong(CELL));
            read.put(at, new Body(known, pushedAt));
        }
        return known;
    }

    /** The body of a slot as it stands in the file. */
    byte[] readFile(ResultSet slot) throws SQLException {
        long cell = slot.getLong(CELL);
        if (cell == NONE) {
            return slot.getBytes(BODY);
        }
        byte[] padded = cell(cell);
        // Not as many bytes as a damaged row says.
        return Arrays.copyOf(padded, Math.max(0, Math.min(slot.getInt(BYTES), padded.length)));
    }

    /** The content of a cell; no bytes if it is lost, which whoever reads the slot will notice. */
    private byte[] cell(long id) {
        byte[] padded =
                statements.first(
                        "SELECT body FROM slipring_cell WHERE id = ?", row -> row.getBytes(1), id);
        return padded == null ? ELSEWHERE : padded;
    }

    /**
     * What a slot leaves behind.
     *
     * @param cell its cell, or none
     * @param bytes how long its body is
     */
    record Left(long cell, int bytes) {}
}
