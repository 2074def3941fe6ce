// SPDX-License-Identifier: Apache-2.0
package dev.slipring.jdbc;

import dev.slipring.ledger.SlotRow;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Writes and reads the bodies of slots: small ones in the slot, large ones in content tables. */
final class Contents {

    /** A body up to this stands in its slot, so that several slots share a page. */
    static final int INLINE = 3_000;

    /** A larger one stands in pieces of this many bytes, or fewer if the server takes less. */
    private static final int PIECE = 1 << 19;

    /** In how many tables they stand, by the number of the slot. */
    static final int TABLES = 4;

    private Contents() {}

    private static String table(long turn) {
        return "slipring_content_" + number(turn);
    }

    /** In which of the tables the body of a slot is. */
    static int number(long turn) {
        return (int) (turn % TABLES);
    }

    /** In how many rows a body of so many bytes stands, besides its slot. */
    static int pieces(int length, int piece) {
        return length <= INLINE ? 0 : (length + piece - 1) / piece;
    }

    /** How large a piece may be where so many bytes are taken at once. */
    static int piece(long packet) {
        return (int) Math.min(PIECE, packet / 4);
    }

    /**
     * Writes a slot into its cell. The row is there, and is updated in place; one that somebody has
     * deleted is made anew.
     */
    static void write(Work work, long ring, long turn, Extent extent, SlotRow slot, Script writes) {
        byte[] body = slot.body();
        int size = work.piece();
        int pieces = pieces(body.length, size);
        for (int piece = 0; piece < pieces; piece++) {
            int from = piece * size;
            byte[] data =
                    pieces == 1
                            ? body
                            : Arrays.copyOfRange(body, from, Math.min(from + size, body.length));
            writes.run(
                    "INSERT INTO "
                            + table(turn)
                            + " (ring, lane, turn, piece, data) VALUES (?, ?, ?, ?, ?)",
                    ring,
                    slot.lane(),
                    turn,
                    piece,
                    data);
        }
        Object[] row = {
            ring,
            slot.lane(),
            extent.of(turn),
            turn,
            slot.first(),
            slot.count(),
            slot.producer(),
            slot.number(),
            slot.pushedAt(),
            body.length,
            pieces,
            pieces == 0 ? body : new byte[0]
        };
        writes.add(work.dialect().putSlot(row, work.isJoined()));
    }

    /** Removes the pieces of a slot's body. */
    static void delete(long ring, StoredSlot stored, Script writes) {
        for (int piece = 0; piece < stored.pieces(); piece++) {
            writes.run(
                    "DELETE FROM "
                            + table(stored.turn())
                            + " WHERE ring = ? AND lane = ? AND turn = ? AND piece = ?",
                    ring,
                    stored.row().lane(),
                    stored.turn(),
                    piece);
        }
    }

    /** Removes the pieces of all bodies of a lane. */
    static void deleteAll(long ring, int lane, Script writes) {
        for (int number = 0; number < TABLES; number++) {
            writes.run("DELETE FROM " + table(number) + " WHERE ring = ? AND lane = ?", ring, lane);
        }
    }

    /** The slots with their bodies, as far as these have so many bytes, but at least one. */
    static List<SlotRow> read(Work work, long ring, List<StoredSlot> all, long maxBytes) {
        List<StoredSlot> wanted = new ArrayList<>();
        Script script = new Script();
        Map<Long, Whole> bodies = new HashMap<>();
        long bytes = 0;
        for (StoredSlot stored : all) {
            if (!wanted.isEmpty() && bytes >= maxBytes) {
                break;
            }
            wanted.add(stored);
            bytes += stored.size();
            if (stored.pieces() > 0 && stored.row().body().length == 0) {
                Whole body = new Whole(stored.size());
                bodies.put(stored.turn(), body);
                script.read(
                        "SELECT piece, data FROM "
                                + table(stored.turn())
                                + " WHERE ring = ? AND lane = ? AND turn = ? ORDER BY piece",
                        row -> body.add(row.getInt(1), row.getBytes(2)),
                        ring,
                        stored.row().lane(),
                        stored.turn());
            }
        }
        if (!bodies.isEmpty()) {
            work.look(script);
        }
        return wanted.stream()
                .map(
                        stored ->
                                bodies.containsKey(stored.turn())
                                        ? stored.with(bodies.get(stored.turn()).bytes())
                                        : stored.row())
                .toList();
    }

    /**
     * A body that is put together from its pieces as they come, so that a large one is in memory
     * only once.
     */
    private static final class Whole {

        private final int size;
        private byte[] bytes = {};
        private int filled;
        private int last = -1;

        Whole(int size) {
            this.size = size;
        }

        /** Takes the next piece; one that is no later than the last begins anew. */
        void add(int piece, byte[] data) {
            filled = piece > last ? filled : 0;
            last = piece;
            if (filled == 0 && data.length >= size) {
                bytes = data;
            } else {
                if (data.length > bytes.length - filled) {
                    bytes = Arrays.copyOf(bytes, Math.max(size, filled + data.length));
                }
                System.arraycopy(data, 0, bytes, filled, data.length);
            }
            filled += data.length;
        }

        /** The body; too short if a piece is lost, which whoever reads it will see. */
        byte[] bytes() {
            return filled == bytes.length ? bytes : Arrays.copyOf(bytes, filled);
        }
    }
}
