// SPDX-License-Identifier: Apache-2.0
package dev.slipring.postgresql;

import dev.slipring.Delivery;
import dev.slipring.RingFull;
import dev.slipring.engine.ClaimRequest;
import dev.slipring.engine.Claimed;
import dev.slipring.engine.Settled;
import dev.slipring.engine.Settlement;
import dev.slipring.engine.Settlement.Failed;
import dev.slipring.engine.Slot;
import dev.slipring.engine.Ticket;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** The hot path: push, claim and settle as one call each. */
final class Calls {

    private static final String PUSH = "SELECT * FROM slipring.push_slots(?, ?, ?, ?, ?, ?)";
    private static final String CLAIM =
            "SELECT * FROM slipring.claim_slots(?, ?, ?, ?, ?::int, ?::int, ?::bigint, ?::boolean,"
                    + " ?::bigint[], ?::bigint[], ?::text[], ?::bigint[], ?::text)";
    private static final String SETTLE =
            "SELECT * FROM slipring.settle(?, ?, ?, ?, ?, ?, ?, ?, ?, ?)";
    private static final String SETTLE_JOINED =
            "SELECT * FROM slipring.settle_joined(?, ?, ?, ?, ?, ?, ?, ?, ?, ?,"
                    + " to_timestamp(?::bigint / 1000.0))";

    private Calls() {}

    /** What a claim came to; busy names a lane to wait for. */
    record Taken(Claimed claimed, Integer busy) {}

    static void push(Statements statements, String ring, List<Slot> slots) {
        Slot any = slots.get(0);
        statements.each(
                PUSH,
                row -> {
                    if (!row.getBoolean(1)) {
                        throw full(ring, slots, row);
                    }
                    return false;
                },
                ring,
                slots.stream().map(Slot::lane).toArray(Integer[]::new),
                slots.stream().map(Slot::count).toArray(Integer[]::new),
                slots.stream().map(Slot::body).toArray(byte[][]::new),
                any.producer(),
                any.number());
    }

    private static RingFull full(String ring, List<Slot> slots, ResultSet row) throws SQLException {
        String holder = row.getString(6);
        if (holder != null) {
            return new RingFull("ring '" + ring + "' is full: " + holder, 0, 0);
        }
        return new RingFull(
                "ring '"
                        + ring
                        + "' is full: room for "
                        + Math.max(row.getLong(2), 0)
                        + " of "
                        + row.getLong(4)
                        + " messages and "
                        + Math.max(row.getLong(3), 0)
                        + " of "
                        + row.getLong(5)
                        + " bytes, but "
                        + slots.stream().mapToLong(Slot::count).sum()
                        + " messages with "
                        + slots.stream().mapToLong(slot -> slot.body().length).sum()
                        + " bytes were pushed",
                row.getLong(2),
                row.getLong(3));
    }

    static Taken claim(Statements statements, String ring, ClaimRequest request, Integer waitFor) {
        Settlement word = request.before();
        Reading reading = new Reading(request);
        statements.each(
                CLAIM,
                reading::take,
                ring,
                request.stage(),
                request.max(),
                request.worker(),
                waitFor,
                word == null ? null : word.ticket().lane(),
                word == null ? null : word.ticket().epoch(),
                word == null ? null : word.ticket().retry(),
                word == null ? null : done(word),
                word == null ? null : failed(word),
                word == null ? null : errors(word),
                word == null ? null : waits(word),
                word == null ? null : rest(word));
        return reading.taken();
    }

    static Settled settle(Statements statements, String ring, Settlement word) {
        Ticket ticket = word.ticket();
        return statements.first(
                SETTLE,
                Calls::settled,
                ring,
                ticket.stage(),
                ticket.lane(),
                ticket.epoch(),
                ticket.retry(),
                done(word),
                failed(word),
                errors(word),
                waits(word),
                rest(word));
    }

    static Settled settleJoined(
            Statements statements, String ring, Settlement word, Memory.Known known) {
        Ticket ticket = word.ticket();
        return statements.first(
                SETTLE_JOINED,
                Calls::settled,
                ring,
                ticket.stage(),
                ticket.lane(),
                ticket.epoch(),
                ticket.retry(),
                done(word),
                failed(word),
                errors(word),
                waits(word),
                rest(word),
                known == null ? null : known.expires());
    }

    private static Settled settled(ResultSet row) throws SQLException {
        if (!row.getString(1).equals("ok")) {
            throw Trouble.refused(row.getString(1), row.getString(2));
        }
        return new Settled(row.getInt(3), row.getInt(4), row.getLong(5));
    }

    private static Long[] done(Settlement word) {
        return word.done().toArray(Long[]::new);
    }

    private static Long[] failed(Settlement word) {
        return word.failed().stream().map(Failed::position).toArray(Long[]::new);
    }

    private static String[] errors(Settlement word) {
        // PostgreSQL's text has no zero character.
        return word.failed().stream()
                .map(failed -> failed.error().replace("\0", ""))
                .toArray(String[]::new);
    }

    private static Long[] waits(Settlement word) {
        return word.failed().stream().map(Failed::retryMillis).toArray(Long[]::new);
    }

    private static String rest(Settlement word) {
        return word.rest().name().toLowerCase(Locale.ROOT);
    }

    /** The rows of a claim, as they come. */
    private static final class Reading {

        private final ClaimRequest request;
        private final List<Delivery> deliveries = new ArrayList<>();
        private Ticket ticket;
        private Claimed nothing;
        private Settled settled;
        private Integer busy;
        private long leaseMillis;
        private Held held;

        Reading(ClaimRequest request) {
            this.request = request;
        }

        boolean take(ResultSet row) throws SQLException {
            if (row.getString(1) == null) {
                held.read(row, ticket.lane(), deliveries);
                return true;
            }
            String status = row.getString(1);
            if (status.equals("fenced") || status.equals("bad")) {
                throw Trouble.refused(status, row.getString(2));
            }
            if (request.before() != null) {
                settled = new Settled(row.getInt(8), row.getInt(9), row.getLong(10));
            }
            if (status.equals("claimed")) {
                ticket =
                        new Ticket(
                                request.stage(), row.getInt(4), row.getLong(5), row.getBoolean(6));
                leaseMillis = row.getLong(7);
                held = new Held(Statements.numbers(row.getArray(12)));
            } else {
                long next = row.getLong(3);
                nothing = Claimed.nothing(row.getString(2), row.wasNull() ? Long.MAX_VALUE : next);
                busy = status.equals("busy") ? row.getInt(4) : null;
            }
            return true;
        }

        Taken taken() {
            Claimed claimed =
                    ticket == null ? nothing : Claimed.of(ticket, deliveries, leaseMillis);
            return new Taken(claimed.behind(settled), busy);
        }
    }
}
