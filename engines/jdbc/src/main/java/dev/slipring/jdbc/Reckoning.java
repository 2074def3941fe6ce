// SPDX-License-Identifier: Apache-2.0
package dev.slipring.jdbc;

import dev.slipring.graph.Mode;
import dev.slipring.graph.Shape;
import dev.slipring.graph.StageSpec;
import dev.slipring.ledger.ClaimRow;
import dev.slipring.ledger.Deliveries;
import dev.slipring.ledger.SlotRow;
import dev.slipring.ledger.Strand;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;

/**
 * Reckons, without the server, what a word and a claim make of a lane that is known. This is the
 * usual case of the ledger's rules: no message is kept, and all slots are remembered.
 */
final class Reckoning {

    private final Shape shape;
    private final StageSpec stage;
    private final LaneState lane;
    private final StrandState hand;
    private final SlotCache cache;
    private final long oldestBefore;
    private final long[] rows = new long[Contents.TABLES];
    private final List<SlotRow> slots = new ArrayList<>();
    private long freed;
    private ClaimRow said;
    private ClaimRow claim;

    Reckoning(Shape shape, StageSpec stage, LaneState lane, SlotCache cache) {
        this.shape = shape;
        this.stage = stage;
        this.lane = lane;
        this.cache = cache;
        hand = lane.strand(stage.name());
        oldestBefore = lane.oldestTurn();
    }

    /** Whether all stages are there, keep no message of the lane, and have nothing given back. */
    boolean isUsual() {
        return lane.hasAll(shape.spec().stages().names())
                && lane.strands().stream().noneMatch(other -> other.strand().keeps())
                && hand.expires() > 0;
    }

    /** A claim is wholly done; false if that is not usual. */
    boolean say(long epoch) {
        said = hand.remove(epoch);
        if (said == null) {
            return false;
        }
        Strand before = hand.strand();
        long done = hand.lowest().orElse(before.claimed());
        hand.become(before.doneTo(done));
        return done == before.done() || release();
    }

    private boolean release() {
        long gate = lane.done();
        boolean more = gate > lane.gate();
        while (more && lane.oldest() < gate) {
            StoredSlot slot = cache.get(shape.id(), lane.number(), lane.oldestTurn());
            if (slot == null || slot.row().first() != lane.oldest()) {
                return false;
            }
            more = slot.row().end() <= gate;
            if (more) {
                freed += slot.size();
                rows[Contents.number(slot.turn())] += slot.pieces();
                lane.pass(slot);
            }
        }
        boolean usual = gate >= lane.gate();
        lane.moveGate(gate);
        return usual;
    }

    /**
     * Claims what is new, if anything is; false if that is not usual.
     *
     * @param head the position up to which the lane is known to be filled
     */
    boolean claim(int most, long head, String worker) {
        long from = hand.strand().claimed();
        long to = Math.min(from + most, Math.max(head, lane.head()));
        for (String ancestor : shape.spec().stages().ancestors(stage.name())) {
            to = Math.min(to, lane.strand(ancestor).strand().high());
        }
        if (to <= from || stage.mode() == Mode.ORDERED && !hand.claims().isEmpty()) {
            return true;
        }
        long turn = find(from, to);
        if (slots.isEmpty()) {
            return false;
        }
        SlotRow last = slots.get(slots.size() - 1);
        long end = Math.min(to, last.end());
        lane.anchor(from, turn);
        lane.anchor(end, turn + slots.size() - (end == last.end() ? 0 : 1));
        long epoch = hand.strand().epoch() + 1;
        hand.become(hand.strand().claimed(end, epoch, 0));
        claim =
                new ClaimRow(
                        stage.name(), lane.number(), epoch, from, end, new BitSet(), 1, worker, 0);
        return true;
    }

    /** Collects the slots of a range as far as they are here; returns the number of the first. */
    private long find(long from, long to) {
        long first = -1;
        long bytes = 0;
        long at = from;
        for (long turn = lane.turnAt(from); at < to; turn++) {
            StoredSlot slot = cache.get(shape.id(), lane.number(), turn);
            if (slot == null || slot.row().first() > at || !slot.isWhole()) {
                break;
            }
            bytes += slot.size();
            if (slot.row().end() > at) {
                if (!slots.isEmpty() && bytes > Deliveries.MAX_BYTES) {
                    break;
                }
                first = slots.isEmpty() ? turn : first;
                slots.add(slot.row());
                at = slot.row().end();
            }
        }
        return first;
    }

    /** How far the stage has claimed. */
    long claimed() {
        return hand.strand().claimed();
    }

    /** When the first of the stage's claims in the lane runs out. */
    long expires() {
        return hand.expires();
    }

    /** Whether anything is to be written. */
    boolean isSomething() {
        return said != null || claim != null;
    }

    /** The claim that is done; null if there is none. */
    ClaimRow said() {
        return said;
    }

    /** The new claim; null if there is nothing to claim. */
    ClaimRow claim() {
        return claim;
    }

    /** The slots of the claim. */
    List<SlotRow> slots() {
        return slots;
    }

    /** The number of the first slot that leaves it. */
    long oldestBefore() {
        return oldestBefore;
    }

    /** How many bytes leave it. */
    long freed() {
        return freed;
    }

    /** In how many rows of a content table these are. */
    long rows(int table) {
        return rows[table];
    }

    /**
     * It was written.
     *
     * @param expires when the new claim runs out
     */
    void moved(long expires) {
        if (claim != null) {
            hand.put(claim.expiring(expires));
        }
        lane.moved();
    }
}
