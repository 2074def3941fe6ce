// SPDX-License-Identifier: Apache-2.0
package dev.slipring.jdbc;

import dev.slipring.ledger.ClaimRow;
import dev.slipring.ledger.LaneRow;
import dev.slipring.ledger.Strand;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.TreeMap;

/** A lane as a transaction sees it, or has left it: its front, its back, and what is between. */
final class LaneState {

    final int lane;

    /** The front: where the next slot goes. */
    long head;

    long turn;
    long bytesIn;
    List<Extent> extents = new ArrayList<>();

    /** The front as everybody sees it, without what this transaction of a caller has pushed. */
    long committedHead;

    long committedBytes;
    boolean frontIsNew;
    boolean frontChanged;

    /** Whether this transaction has the front. */
    boolean frontHeld;

    /** The back: the oldest held slot. */
    long gate;

    long oldest;
    long oldestTurn;
    long bytesOut;

    /** How often the back, or a strand behind it, has changed. */
    long moves;

    boolean backIsNew;
    boolean backChanged;

    /** Whether this transaction has the back. */
    boolean backHeld;

    final Map<String, StrandState> strands = new TreeMap<>();

    /** Where slots begin, as far as is known: position, and the number of the slot. */
    final TreeMap<Long, Long> anchors = new TreeMap<>();

    LaneState(int lane) {
        this.lane = lane;
    }

    /** A strand and the claims on it. */
    static final class StrandState {
        Strand strand;
        final TreeMap<Long, ClaimRow> claims = new TreeMap<>();
        boolean isNew;
        boolean changed;

        /** Where the first of its claims begins, if there is one. */
        OptionalLong lowest() {
            return claims.values().stream().mapToLong(ClaimRow::from).min();
        }

        /** When the first of its claims runs out. */
        long expires() {
            return claims.values().stream()
                    .mapToLong(ClaimRow::expires)
                    .min()
                    .orElse(Long.MAX_VALUE);
        }
    }

    /** How far every stage is done. */
    long done() {
        return strands.values().stream()
                .mapToLong(ofStage -> ofStage.strand.done())
                .min()
                .orElse(0);
    }

    LaneRow row() {
        return new LaneRow(lane, head, gate, bytesIn - bytesOut);
    }

    /**
     * A position, at this one or before it, and the number of the slot that it is in or of one
     * before that. Never of a slot that was released: its cell may have another by now. That may
     * happen to a claim which is done in part, as its line keeps the slot that it began in.
     */
    Map.Entry<Long, Long> anchor(long position) {
        Map.Entry<Long, Long> known = anchors.floorEntry(position);
        return known == null || known.getValue() < oldestTurn
                ? Map.entry(oldest, oldestTurn)
                : known;
    }

    /** Forgets where slots begin, except for the slots at which the strands and claims stand. */
    void forgetAnchors() {
        Map<Long, Long> wanted = new TreeMap<>();
        for (StrandState ofStage : strands.values()) {
            Map.Entry<Long, Long> at = anchor(ofStage.strand.claimed());
            wanted.put(at.getKey(), at.getValue());
            ofStage.claims.values().forEach(c -> wanted.put(c.from(), anchor(c.from()).getValue()));
        }
        anchors.clear();
        anchors.putAll(wanted);
    }

    /** Forgets what was seen of the back, which is about to be read anew. */
    void forgetBack() {
        strands.clear();
        anchors.clear();
    }
}
