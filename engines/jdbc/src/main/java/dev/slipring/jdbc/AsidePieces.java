// SPDX-License-Identifier: Apache-2.0
package dev.slipring.jdbc;

import dev.slipring.ledger.AsideRow;

import java.io.ByteArrayOutputStream;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** Messages set aside that are too large for their row: rows of their own, a piece each. */
final class AsidePieces {

    private static final String TABLE = "slipring_aside_piece";
    private static final String PLACE = "ring = ? AND lane = ? AND stage = ? AND position = ?";

    private final Work work;

    AsidePieces(Work work) {
        this.work = work;
    }

    /** How many pieces a message needs; 0 if it stands in its row. */
    int count(byte[] message) {
        return message.length <= work.piece() ? 0 : Contents.pieces(message.length, work.piece());
    }

    byte[] read(long ring, AsideRow row) {
        ByteArrayOutputStream message = new ByteArrayOutputStream();
        String sql = work.dialect().select("data", TABLE, PLACE + " ORDER BY piece", lock());
        work.ask(
                new Script()
                        .read(
                                sql,
                                piece -> message.writeBytes(piece.getBytes(1)),
                                place(ring, row)));
        return message.toByteArray();
    }

    /** How long a message is. */
    long bytes(long ring, AsideRow row) {
        List<Long> bytes = new ArrayList<>();
        String sql = work.dialect().select(work.dialect().bytesOf("data"), TABLE, PLACE, lock());
        work.ask(new Script().read(sql, piece -> bytes.add(piece.getLong(1)), place(ring, row)));
        return bytes.stream().mapToLong(Long::longValue).sum();
    }

    private Lock lock() {
        return work.guarded();
    }

    void write(Script script, long ring, AsideRow row) {
        byte[] message = row.message();
        int size = work.piece();
        for (int piece = 0; piece < count(message); piece++) {
            int from = piece * size;
            script.run(
                    "INSERT INTO slipring_aside_piece (ring, lane, stage, position, piece, data)"
                            + " VALUES (?, ?, ?, ?, ?, ?)",
                    ring,
                    row.lane(),
                    row.stage(),
                    row.position(),
                    piece,
                    Arrays.copyOfRange(message, from, Math.min(from + size, message.length)));
        }
    }

    /** In a caller's transaction each by its full key, so that no gap is kept beside them. */
    void delete(Script script, Object... place) {
        String sql = "DELETE FROM slipring_aside_piece WHERE " + PLACE;
        if (work.isJoined()) {
            work.ask(
                    new Script()
                            .read(
                                    work.dialect().select("piece", TABLE, PLACE, lock()),
                                    piece -> script.run(sql + " AND piece = ?", at(piece, place)),
                                    place));
        } else {
            script.run(sql, place);
        }
    }

    private static Object[] at(ResultSet piece, Object... place) throws SQLException {
        Object[] values = Arrays.copyOf(place, place.length + 1);
        values[place.length] = piece.getInt(1);
        return values;
    }

    static void deleteAll(Script script, long ring, String stage) {
        script.run("DELETE FROM slipring_aside_piece WHERE ring = ? AND stage = ?", ring, stage);
    }

    private static Object[] place(long ring, AsideRow row) {
        return new Object[] {ring, row.lane(), row.stage(), row.position()};
    }
}
