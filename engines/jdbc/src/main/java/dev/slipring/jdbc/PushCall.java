// SPDX-License-Identifier: Apache-2.0
package dev.slipring.jdbc;

import dev.slipring.engine.Slot;
import dev.slipring.engine.SlotCodec;
import dev.slipring.graph.Shape;
import dev.slipring.ledger.PushRule;
import dev.slipring.ledger.SlotRow;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Map;

/** A push of one slot as a call of {@code slipring_push}; see {@code mysql/push.sql}. */
final class PushCall {

    private final Procedures procedures;
    private final Shape shape;
    private final Slot slot;
    private String outcome = "other";
    private int lane;
    private long first;
    private long turn;
    private long now;
    private boolean isTight;
    private long freeMessages;
    private long freeBytes;
    private Fronts.Front front;

    PushCall(Procedures procedures, Shape shape, Slot slot) {
        this.procedures = procedures;
        this.shape = shape;
        this.slot = slot;
    }

    /** Pushes; false if the ledger is to do it, and nothing has happened. */
    boolean push() {
        long since = procedures.memo().losses().get();
        HomeLane home = procedures.memo().home(shape.id());
        home.pushBegins();
        try {
            return push(home, since);
        } finally {
            home.pushEnds();
        }
    }

    /** Whether the producer had pushed it before, and nothing was stored now. */
    boolean foundIt() {
        return outcome.equals("again");
    }

    private boolean push(HomeLane home, long since) {
        if (!procedures.call(this::call) || outcome.equals("other")) {
            return false;
        }
        procedures.memo().margins().learn(shape.id(), isTight);
        if (outcome.equals("full")) {
            throw PushRule.full(shape.spec(), slot.count(), length(), freeMessages, freeBytes);
        } else if (outcome.equals("pushed")) {
            procedures.memo().learn(since, this::remember);
            if (procedures.memo().remembers()) {
                home.pushed(lane, first + slot.count(), turn + 1);
            }
        }
        return true;
    }

    private void remember() {
        SlotCache.At at = new SlotCache.At(shape.id(), lane, turn);
        procedures.memo().slots().keep(Map.of(at, stored()));
        procedures.memo().fronts().put(shape.id(), lane, front);
    }

    private boolean call(OwnWork own) {
        if (length() > own.piece()) {
            return false;
        }
        if (isLarge()) {
            own.look(new Script().run("SET @slipring_body = ?", slot.body()));
        }
        Fronts.Front known =
                procedures.memo().fronts().take(shape.id(), slot.lane(), slot.count(), length());
        Object[] values = {
            shape.id(),
            shape.version(),
            shape.spec().lanes(),
            slot.lane(),
            SlotCodec.isKeyed(slot.body()) ? 0 : 1,
            procedures.memo().margins().isTight(shape.id()) ? 1 : 0,
            known == null ? null : known.turn(),
            known == null ? null : known.cell(),
            slot.producer(),
            slot.number(),
            slot.count(),
            length(),
            isLarge() ? null : slot.body()
        };
        own.call(
                new Script()
                        .read(
                                "CALL slipring_push(?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
                                row -> read(row, known),
                                values));
        return true;
    }

    private int length() {
        return slot.body().length;
    }

    private boolean isLarge() {
        return length() > Contents.INLINE;
    }

    private void read(ResultSet row, Fronts.Front known) throws SQLException {
        Reply reply = new Reply(row);
        outcome = reply.text();
        isTight = reply.number() == 1;
        if (!outcome.equals("other")) {
            lane = reply.number();
            first = reply.large();
            turn = reply.large();
            now = reply.large();
            freeMessages = reply.large();
            freeBytes = reply.large();
            long left = reply.large();
            long leftBytes = reply.large();
            long spare = reply.large();
            // If the front was known, the procedure has not looked it up, and does not return it.
            front =
                    reply.hasNext()
                            ? new Fronts.Front(turn + 1, left, leftBytes, spare, extent(reply))
                            : known.behind(slot.count(), length());
        }
    }

    private static Extent extent(Reply reply) {
        return new Extent(reply.large(), reply.large(), reply.large());
    }

    private StoredSlot stored() {
        return new StoredSlot(
                turn,
                length(),
                isLarge() ? 1 : 0,
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
