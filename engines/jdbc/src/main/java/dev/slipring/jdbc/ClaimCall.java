// SPDX-License-Identifier: Apache-2.0
package dev.slipring.jdbc;

import dev.slipring.Fenced;
import dev.slipring.SlipringException;
import dev.slipring.engine.ClaimRequest;
import dev.slipring.engine.Claimed;
import dev.slipring.engine.Settled;
import dev.slipring.engine.Settlement;
import dev.slipring.engine.Settlement.Rest;
import dev.slipring.engine.Ticket;
import dev.slipring.graph.Mode;
import dev.slipring.graph.Shape;
import dev.slipring.graph.StageSpec;
import dev.slipring.ledger.ClaimRow;
import dev.slipring.ledger.Deliveries;
import dev.slipring.ledger.SlotRow;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/** A claim, the word that a whole claim is done, or both, as a call of {@code slipring_claim}. */
final class ClaimCall {

    /** The call keeps a set of lanes in one number. */
    private static final int MOST_LANES = 62;

    private final Procedures procedures;
    private final Shape shape;
    private final StageSpec stage;
    private final ClaimRequest request;
    private final HomeLane home;
    private String outcome = "other";
    private long releasedFirst;
    private long releasedBehind;
    private long nextMillis;
    private int busy;
    private long turns;
    private ClaimRow claim;
    private long firstSlot;
    private long lastSlot;
    private List<Extent> extents;

    ClaimCall(Procedures procedures, Shape shape, ClaimRequest request) {
        this.procedures = procedures;
        this.shape = shape;
        this.request = request;
        stage = shape.spec().stages().get(request.stage());
        home = procedures.memo().home(shape.id());
    }

    /** Whether a stage hands out, and the request comes without a word, or with a plain one. */
    static boolean isUsual(Shape shape, ClaimRequest request) {
        return !shape.paused().contains(request.stage()) && request.isPlain();
    }

    /**
     * Claims; null if the ledger is to do it: nothing has happened, or the messages claimed are
     * lost and the claim has gone back.
     *
     * @param giveBack takes the word that gives back a claim whose messages cannot be read
     */
    Claimed claim(Consumer<Settlement> giveBack) {
        boolean usual = isInReach() && isUsual(shape, request);
        long at = System.nanoTime();
        int homeLane = home.lane();
        home.forgetLook(stage.name());
        if (!usual || !procedures.call(own -> call(own, request.max(), homeLane))) {
            return null;
        }
        learn(at, homeLane);
        Claimed claimed = claimed(giveBack);
        return claimed == null || request.before() == null ? claimed : claimed.behind(settled());
    }

    private boolean isInReach() {
        return shape.spec().lanes() <= MOST_LANES;
    }

    /** Takes the word alone; null if the ledger is to do it, and nothing has happened. */
    Settled settle() {
        home.bypassed();
        return isInReach() && procedures.call(own -> call(own, 0, -1)) ? settled() : null;
    }

    /** Tells the home lane of this process what the call has shown. */
    private void learn(long at, int homeLane) {
        if (claim != null || request.before() != null) {
            home.bypassed();
        }
        if (homeLane >= 0 && busy == 0) {
            home.looked(stage.name(), homeLane, at, nextMillis, turns);
        }
    }

    private boolean call(OwnWork own, int most, int homeLane) {
        Ticket before = request.before() == null ? null : request.before().ticket();
        Object[] values = {
            shape.id(),
            shape.version(),
            shape.spec().lanes(),
            shape.spec().stages().names().size(),
            stage.name(),
            String.join(",", shape.spec().stages().ancestors(stage.name())),
            stage.mode() == Mode.ORDERED ? 1 : 0,
            stage.lease().toMillis(),
            stage.keep(),
            shape.spec().bytes(),
            most,
            Deliveries.MAX_BYTES,
            ClaimText.bare(request.worker()),
            before == null ? null : before.lane(),
            before == null ? null : before.epoch(),
            homeLane
        };
        own.call(
                new Script()
                        .read(
                                "CALL slipring_claim(?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?,"
                                        + " ?)",
                                this::read,
                                values));
        return !outcome.equals("other");
    }

    private void read(ResultSet row) throws SQLException {
        Reply reply = new Reply(row);
        outcome = reply.text();
        releasedFirst = reply.large();
        releasedBehind = reply.large();
        nextMillis = reply.large();
        busy = reply.number();
        turns = reply.large();
        claim = null;
        if (outcome.equals("claimed")) {
            claim =
                    new ClaimRow(
                            stage.name(),
                            reply.number(),
                            reply.large(),
                            reply.large(),
                            reply.large(),
                            new BitSet(),
                            1,
                            request.worker(),
                            reply.large());
            firstSlot = reply.large();
            lastSlot = reply.large();
            extents = Extent.parse(reply.text());
        }
    }

    /** The slots of the claim. They stay as they are as long as its lease lasts. */
    private List<SlotRow> slots(OwnWork own) {
        long since = procedures.memo().losses().get();
        LaneState lane = LaneState.upTo(claim.lane(), lastSlot + 1, extents);
        SlotReading reading = new SlotReading(own, procedures.memo().slots(), shape.id(), lane);
        List<SlotRow> found = new ArrayList<>();
        Map<SlotCache.At, StoredSlot> seen = new HashMap<>();
        for (long turn = firstSlot; turn <= lastSlot; turn = reading.next()) {
            List<StoredSlot> all =
                    reading.slots(turn, lastSlot + 1 - turn, claim.from(), claim.to(), true);
            List<SlotRow> read = Contents.read(own, shape.id(), all, Long.MAX_VALUE);
            for (int i = 0; i < read.size(); i++) {
                StoredSlot stored = all.get(i);
                SlotRow slot = read.get(i);
                if (slot.body().length < stored.size()) {
                    // Released since it was found, so the claim is another's by now.
                    continue;
                }
                found.add(slot);
                seen.put(
                        new SlotCache.At(shape.id(), claim.lane(), stored.turn()),
                        stored.holding(slot));
            }
        }
        procedures.memo().learn(since, () -> procedures.memo().slots().keep(seen));
        return found;
    }

    private Claimed claimed(Consumer<Settlement> giveBack) {
        if (claim == null) {
            String reason = Claimed.IDLE;
            return outcome.equals("left")
                    ? Claimed.leftOut(reason)
                    : Claimed.nothing(reason, nextMillis);
        }
        List<SlotRow> slots = List.of();
        SlipringException failed = null;
        try {
            slots = procedures.read(this::slots);
        } catch (SlipringException e) {
            failed = e;
        }
        if (failed != null || !isWhole(slots)) {
            return unread(giveBack, failed);
        }
        return claim.handedOut(slots, stage);
    }

    private boolean isWhole(List<SlotRow> slots) {
        long held = slots.stream().mapToLong(SlotRow::count).sum();
        return !slots.isEmpty()
                && slots.get(0).first() <= claim.from()
                && slots.get(slots.size() - 1).end() >= claim.to()
                && slots.get(slots.size() - 1).end() - slots.get(0).first() == held;
    }

    /**
     * Gives the claim back, so that nobody waits for the end of its lease. A word that was taken
     * with it stays taken, and must not look as if it had failed. Null if the messages are lost:
     * the ledger finds that too, and claims others.
     */
    private Claimed unread(Consumer<Settlement> giveBack, SlipringException failed) {
        SlipringException why = failed;
        try {
            giveBack.accept(new Settlement(claim.ticket(), List.of(), List.of(), Rest.GIVE_BACK));
        } catch (Fenced late) {
            return Claimed.nothing("the lease ran out before the messages were read", 1);
        } catch (SlipringException e) {
            why = failed == null ? e : failed;
        }
        if (request.before() == null) {
            if (why != null) {
                throw why;
            }
            return null;
        }
        return Claimed.nothing("the messages could not be read, and were given back", 1);
    }

    private Settled settled() {
        int lane = request.before().ticket().lane();
        procedures.memo().slots().forget(shape.id(), lane, releasedFirst, releasedBehind);
        return new Settled(0, 0);
    }
}
