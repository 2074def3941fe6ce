// SPDX-License-Identifier: Apache-2.0
package dev.slipring.jdbc;

import dev.slipring.engine.Shape;
import dev.slipring.engine.Slot;
import dev.slipring.engine.SlotCodec;
import dev.slipring.ledger.PushRule;
import dev.slipring.ledger.SlotRow;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;

/**
 * The usual push as one call of a procedure on the server: one round trip, and values that go as
 * they are. What is unusual it leaves to the ledger, and so does a server without procedures.
 */
final class Procedures {

    private final JdbcTransactor transactor;
    private volatile boolean missing;

    Procedures(JdbcTransactor transactor) {
        this.transactor = transactor;
    }

    /** Pushes; false if that is left to the ledger, and nothing has happened. */
    boolean push(String ring, List<Slot> slots) {
        Memo memo = transactor.memo();
        Shape shape = memo.shapes().get(ring);
        Slot slot = slots.get(0);
        if (missing || shape == null || slots.size() > 1) {
            return false;
        }
        Pushed pushed = new Pushed();
        boolean called =
                call(
                        own -> {
                            boolean isLarge = slot.body().length > Contents.INLINE;
                            if (slot.body().length > own.piece()) {
                                return false;
                            } else if (isLarge) {
                                own.look(new Script().run("SET @slipring_body = ?", slot.body()));
                            }
                            return own.call(push(shape, slot, memo.room(), pushed));
                        });
        if (!called || pushed.outcome.equals("other")) {
            return false;
        }
        memo.room().learn(shape.id(), pushed.isTight);
        if (pushed.outcome.equals("full")) {
            throw PushRule.full(
                    shape.spec(),
                    slot.count(),
                    slot.body().length,
                    pushed.freeMessages,
                    pushed.freeBytes);
        } else if (pushed.outcome.equals("pushed")) {
            memo.slots().keep(Map.of(pushed.at(shape), pushed.header(slot)));
        }
        return true;
    }

    private static Script.Step push(Shape shape, Slot slot, Room room, Pushed pushed) {
        Object[] values = {
            shape.id(),
            shape.version(),
            slot.lane(),
            SlotCodec.isKeyed(slot.body()) ? 0 : 1,
            room.isTight(shape.id()) ? 1 : 0,
            slot.producer(),
            slot.number(),
            slot.count(),
            slot.body().length,
            slot.body().length > Contents.INLINE ? null : slot.body()
        };
        return new Script.Step(
                "CALL slipring_push(?, ?, ?, ?, ?, ?, ?, ?, ?, ?)", values, pushed::read);
    }

    /** A transaction that is a call. */
    private interface Call {
        boolean on(OwnWork own);
    }

    private boolean call(Call call) {
        return transactor.persist(
                own -> {
                    try {
                        return call.on(own);
                    } catch (SqlFailed failed) {
                        missing = transactor.dialect().isWithoutProcedures(failed);
                        if (missing) {
                            return false;
                        }
                        throw failed;
                    }
                });
    }

    /** What a push came to. */
    private static final class Pushed {

        private String outcome;
        private int lane;
        private long first;
        private long turn;
        private long now;
        private boolean isTight;
        private long freeMessages;
        private long freeBytes;

        void read(ResultSet row) throws SQLException {
            outcome = row.getString(1);
            lane = row.getInt(2);
            first = row.getLong(3);
            turn = row.getLong(4);
            now = row.getLong(5);
            isTight = row.getInt(6) == 1;
            freeMessages = row.getLong(7);
            freeBytes = row.getLong(8);
        }

        SlotCache.At at(Shape shape) {
            return new SlotCache.At(shape.id(), lane, turn);
        }

        SlotReading.Header header(Slot slot) {
            int length = slot.body().length;
            return new SlotReading.Header(
                    turn,
                    length,
                    length > Contents.INLINE ? 1 : 0,
                    new SlotRow(
                            lane,
                            first,
                            slot.count(),
                            slot.producer(),
                            slot.number(),
                            now,
                            slot.body()));
        }
    }
}
