// SPDX-License-Identifier: Apache-2.0
package dev.slipring.postgresql;

import dev.slipring.Delivery;
import dev.slipring.engine.ClaimRequest;
import dev.slipring.engine.Claimed;
import dev.slipring.engine.Settled;
import dev.slipring.engine.Ticket;
import dev.slipring.graph.Mode;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/** The rows of a claim, as they come: one for the claim, and the pieces of its slots in order. */
final class Reading {

    /** When to look again: nothing tells of what is pushed or said in transactions of others. */
    private static final long MOST_MILLIS = 100;

    /** The status of a word that is not taken, as in the schema's type settled. */
    private static final Set<String> REFUSALS = Set.of("fenced", "stray", "bad");

    private final ClaimRequest request;
    private final OwnBodies.View here;
    private final List<ClaimedSlot> slots = new ArrayList<>();
    private Ticket ticket;
    private Claimed nothing;
    private Settled settled;
    private Integer busy;
    private Mode mode;
    private long leaseMillis;
    private long expires;
    private Positions held;

    /** No rows yet. Bodies that are kept here do not come from the server. */
    Reading(ClaimRequest request, OwnBodies.View here) {
        this.request = request;
        this.here = here;
    }

    /** Takes a row. */
    boolean take(ResultSet row) throws SQLException {
        String status = row.getString("status");
        if (status == null) {
            piece(row);
            return true;
        }
        if (REFUSALS.contains(status)) {
            throw Trouble.refused(status, row.getString("reason"));
        }
        if (request.before() != null) {
            settled = new Settled(row.getInt("remains"), row.getInt("died"));
        }
        if (status.equals("claimed")) {
            ticket =
                    new Ticket(
                            request.stage(),
                            row.getInt("lane"),
                            row.getLong("epoch"),
                            row.getBoolean("retry"));
            leaseMillis = row.getLong("lease_ms");
            mode = row.getBoolean("ordered") ? Mode.ORDERED : Mode.POOL;
            held = new Positions(Statements.numbers(row.getArray("positions")));
            expires = row.getTimestamp("pushed_at").getTime();
        } else if (status.equals("left")) {
            nothing = Claimed.leftOut(row.getString("reason"));
        } else {
            long millis = row.getLong("next_ms");
            // That is asked of the column that was read last, so before any other is.
            long next = row.wasNull() ? MOST_MILLIS : Math.min(millis, MOST_MILLIS);
            nothing = Claimed.nothing(row.getString("reason"), next);
            busy = status.equals("busy") ? row.getInt("lane") : null;
        }
        return true;
    }

    private void piece(ResultSet row) throws SQLException {
        byte[] body = row.getBytes("body");
        long first = row.getLong("first");
        if (row.wasNull()) {
            slots.get(slots.size() - 1).add(body);
            return;
        }
        int attempt = row.getInt("attempt");
        Instant pushedAt = row.getTimestamp("pushed_at").toInstant();
        long push = row.getLong("number");
        slots.add(
                body == null
                        ? new ClaimedSlot(first, attempt, pushedAt, push)
                        : new ClaimedSlot(
                                first, attempt, pushedAt, push, row.getInt("size"), body));
    }

    /** The claim that the rows describe. */
    Taken taken() {
        if (ticket == null && nothing == null) {
            // No row at all: the ring's own went while the statement was on its way.
            throw new RingGone("no such ring any more");
        }
        if (ticket == null) {
            return new Taken(nothing.behind(settled), busy, 0, 0);
        }
        List<Delivery> deliveries = new ArrayList<>();
        int lane = ticket.lane();
        long push = 0;
        long foreign = 0;
        for (ClaimedSlot slot : slots) {
            byte[] body = slot.body(lane, here);
            held.read(slot, body, lane, deliveries);
            push = Math.max(push, slot.push);
            foreign += slot.push > 0 ? 0 : body.length;
        }
        if (push > 0) {
            here.claimed(push);
        }
        Claimed claimed = Claimed.of(ticket, mode, deliveries, leaseMillis);
        return new Taken(claimed.behind(settled), null, expires, foreign);
    }
}
