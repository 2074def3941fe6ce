// SPDX-License-Identifier: Apache-2.0
package dev.slipring.postgresql;

import dev.slipring.Fenced;
import dev.slipring.RingFull;
import dev.slipring.engine.ClaimRequest;
import dev.slipring.engine.Settled;
import dev.slipring.engine.Settlement;
import dev.slipring.engine.Settlement.Failed;
import dev.slipring.engine.Slot;
import dev.slipring.engine.SlotCodec;
import dev.slipring.engine.Ticket;
import dev.slipring.graph.RingSpec;
import dev.slipring.ledger.PushRule;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;

/** The hot path: push, claim and settle as one call each. */
final class Calls {

    private static final String PUSH_MANY =
            "SELECT slipring.push_slots(?, ?, ?, ?, ?, ?, ?, ?::int)";
    private static final String ROOM = "SELECT * FROM slipring.room_now(?)";
    private static final String CLAIM =
            "SELECT c.* FROM slipring.claim_slots(?, ?, ?, ?, ?::int, ?::int, ?::bigint,"
                    + " ?::boolean, ?::bigint[], ?::bigint[], ?::text[], ?::bigint[], ?::text,"
                    + " ?::bigint, ?::bigint, ?::bigint) c";
    private static final String SETTLE =
            "SELECT c.* FROM slipring.settle(?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) c";

    /** Put after a call: its transaction does not wait for the disk, nor for a standby. */
    static final String RELAXED = ", pg_catalog.set_config('synchronous_commit', 'off', true)";

    private static final String SETTLE_JOINED =
            "SELECT * FROM slipring.settle_joined(?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?,"
                    + " pg_catalog.to_timestamp(?::float8))";

    private Calls() {}

    /**
     * Appends slots to the ring with that id, unless they were pushed before.
     *
     * @param patience how many milliseconds to wait for others who keep a lane; null for ever
     * @return a lane that others keep, if that is why nothing has happened
     */
    static Set<Integer> push(
            Statements statements, String ring, long id, List<Slot> slots, Integer patience) {
        boolean single = slots.size() == 1;
        long answer =
                single
                        ? pushOne(statements, id, slots.get(0), patience)
                        : pushMany(statements, ring, id, slots, patience);
        if (answer == 0) {
            throw statements.first(ROOM, row -> full(ring, slots, row), ring);
        } else if (answer > 0) {
            return Set.of();
        }
        return Set.of(single ? slots.get(0).lane() : (int) (-1 - answer));
    }

    private static long pushOne(Statements statements, long id, Slot slot, Integer patience) {
        return statements
                .number(
                        "SELECT slipring.push_" + id + "(?, ?, ?, ?, ?, NULL, NULL, ?::int)",
                        lane(slot),
                        slot.count(),
                        slot.body(),
                        slot.producer(),
                        slot.number(),
                        patience)
                .orElseThrow();
    }

    private static long pushMany(
            Statements statements, String ring, long id, List<Slot> slots, Integer patience) {
        Slot any = slots.get(0);
        return statements
                .number(
                        PUSH_MANY,
                        ring,
                        id,
                        slots.stream().map(Slot::lane).toArray(Integer[]::new),
                        slots.stream().map(Slot::count).toArray(Integer[]::new),
                        slots.stream().map(Slot::body).toArray(byte[][]::new),
                        any.producer(),
                        any.number(),
                        patience)
                .orElseThrow();
    }

    /**
     * The lane of a slot; -1 for any. A caller's transaction keeps its lane to its end, so in one,
     * messages without a key go to a lane that nobody else keeps.
     */
    private static int lane(Slot slot) {
        return slot.producer() == 0 && !SlotCodec.isKeyed(slot.body()) ? -1 : slot.lane();
    }

    private static RingFull full(String ring, List<Slot> slots, ResultSet row) throws SQLException {
        String holder = row.getString(5);
        if (holder != null) {
            return new RingFull("ring '" + ring + "' is full: " + holder, 0, 0);
        }
        return PushRule.full(
                RingSpec.named(ring).messages(row.getLong(3)).bytes(row.getLong(4)),
                slots.stream().mapToLong(Slot::count).sum(),
                slots.stream().mapToLong(slot -> slot.body().length).sum(),
                row.getLong(1),
                row.getLong(2));
    }

    /**
     * Hands out what is new in the ring with that id, looking from a lane on, and takes the word
     * that all of an earlier claim is done, if there is one. A stage that is not of the usual kind,
     * and a claim that is not calm ({@link Glances}), go by all rules on the server.
     */
    static Taken take(
            Statements statements,
            long id,
            ClaimRequest request,
            OwnBodies.View here,
            int lookAt,
            boolean calm) {
        Settlement word = request.before();
        Reading reading = new Reading(request, here);
        statements.each(
                "SELECT * FROM slipring.take_" + id + "(?, ?, ?, ?, ?, ?, ?, ?::bigint, ?, ?)",
                reading::take,
                request.stage(),
                request.max(),
                request.worker(),
                word == null ? -1 : word.ticket().lane(),
                word == null ? -1L : word.ticket().epoch(),
                lookAt,
                calm,
                here.producer(),
                here.from(),
                here.to());
        return reading.taken();
    }

    /** Hands out messages by all rules, after any word. */
    static Taken claim(
            Statements statements,
            String ring,
            ClaimRequest request,
            OwnBodies.View here,
            Integer waitFor) {
        Settlement word = request.before();
        Reading reading = new Reading(request, here);
        Object[] wish = {ring, request.stage(), request.max(), request.worker(), waitFor};
        Object[] known = {here.producer(), here.from(), here.to()};
        statements.each(CLAIM + relaxed(word), reading::take, all(wish, values(word), known));
        return reading.taken();
    }

    /** Takes a word; empty if others speak of the claim and this is not to wait for them. */
    static Optional<Settled> settle(
            Statements statements, String ring, Settlement word, boolean waiting) {
        Object[] of = {ring, word.ticket().stage()};
        Object[] how = {waiting};
        return statements.first(
                SETTLE + relaxed(word),
                row ->
                        row.getString("status").equals("held")
                                ? Optional.empty()
                                : Optional.of(settled(row)),
                all(of, values(word), how));
    }

    static Settled settleJoined(
            Statements statements,
            String ring,
            long id,
            Settlement word,
            KnownClaims.Known known,
            BooleanSupplier inHand) {
        Object[] of = {ring, id, word.ticket().stage()};
        Object[] expires = {known == null ? null : known.expires() / 1000.0};
        return statements.first(
                SETTLE_JOINED,
                row -> {
                    if (!row.getString("status").equals("unseen")) {
                        return settled(row);
                    } else if (!inHand.getAsBoolean()) {
                        throw new Fenced(row.getString("reason"));
                    }
                    return answer(row);
                },
                all(of, values(word), expires));
    }

    private static Settled settled(ResultSet row) throws SQLException {
        if (!row.getString("status").equals("ok")) {
            throw Trouble.refused(row.getString("status"), row.getString("reason"));
        }
        return answer(row);
    }

    private static Settled answer(ResultSet row) throws SQLException {
        return new Settled(row.getInt("remains"), row.getInt("died"));
    }

    /** Whether a claim is in hand, by the state as it is now. */
    static boolean isInHand(Statements statements, String ring, Ticket claim) {
        return statements.first(
                "SELECT slipring.is_in_hand(?, ?, ?, ?)",
                row -> row.getBoolean(1),
                ring,
                claim.stage(),
                claim.lane(),
                claim.epoch());
    }

    /**
     * A failure must not be forgotten. Any other word that is lost with the server only makes
     * messages come again.
     */
    private static String relaxed(Settlement word) {
        return word == null || word.failed().isEmpty() ? RELAXED : "";
    }

    /** A word in the eight values that the functions take; nulls where there is no word. */
    private static Object[] values(Settlement word) {
        if (word == null) {
            return new Object[8];
        }
        List<Failed> failed = word.failed();
        return new Object[] {
            word.ticket().lane(),
            word.ticket().epoch(),
            word.ticket().retry(),
            word.done().toArray(Long[]::new),
            failed.stream().map(Failed::position).toArray(Long[]::new),
            failed.stream().map(Failed::error).toArray(String[]::new),
            failed.stream().map(Failed::retryMillis).toArray(Long[]::new),
            word.rest().name().toLowerCase(Locale.ROOT)
        };
    }

    private static Object[] all(Object[]... parts) {
        return Stream.of(parts).flatMap(Arrays::stream).toArray();
    }
}
