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

    /** Nobody tells of what is pushed or said in transactions of others: it is looked for. */
    private static final long MOST_MILLIS = 100;

    /** What becomes of a word that is not taken, as in the schema's settled. */
    private static final Set<String> REFUSALS = Set.of("fenced", "stray", "bad");

    private final ClaimRequest request;
    private final OwnBodies.View here;
    private final List<Piece> slots = new ArrayList<>();
    private Ticket ticket;
    private Claimed nothing;
    private Settled settled;
    private Integer busy;
    private Mode mode;
    private long leaseMillis;
    private long expires;
    private Positions held;

    /** Nothing yet; the bodies that are kept do not come. */
    Reading(ClaimRequest request, OwnBodies.View here) {
        this.request = request;
        this.here = here;
    }

    /** Takes a row. */
    boolean take(ResultSet row) throws SQLException {
        String status = row.getString(1);
        if (status == null) {
            piece(row);
            return true;
        }
        if (REFUSALS.contains(status)) {
            throw Trouble.refused(status, row.getString(2));
        }
        if (request.before() != null) {
            settled = new Settled(row.getInt(8), row.getInt(9));
        }
        if (status.equals("claimed")) {
            ticket = new Ticket(request.stage(), row.getInt(4), row.getLong(5), row.getBoolean(6));
            leaseMillis = row.getLong(7);
            mode = row.getBoolean(18) ? Mode.ORDERED : Mode.POOL;
            held = new Positions(Statements.numbers(row.getArray(12)));
            expires = row.getTimestamp(14).getTime();
        } else if (status.equals("left")) {
            nothing = Claimed.leftOut(row.getString(2));
        } else {
            long millis = row.getLong(3);
            // That is asked of the column that was read last, so before any other is.
            long next = row.wasNull() ? MOST_MILLIS : Math.min(millis, MOST_MILLIS);
            nothing = Claimed.nothing(row.getString(2), next);
            busy = status.equals("busy") ? row.getInt(4) : null;
        }
        return true;
    }

    private void piece(ResultSet row) throws SQLException {
        byte[] body = row.getBytes(16);
        long first = row.getLong(13);
        if (row.wasNull()) {
            slots.get(slots.size() - 1).add(body);
            return;
        }
        int attempt = row.getInt(11);
        Instant pushedAt = row.getTimestamp(14).toInstant();
        long push = row.getLong(17);
        slots.add(
                body == null
                        ? new Piece(first, attempt, pushedAt, push)
                        : new Piece(first, attempt, pushedAt, push, row.getInt(15), body));
    }

    /** What the rows came to. */
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
        for (Piece slot : slots) {
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
