// SPDX-License-Identifier: Apache-2.0
package dev.slipring.jdbc;

import dev.slipring.ledger.ClaimRow;
import dev.slipring.ledger.LaneRow;
import dev.slipring.ledger.Strand;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * A lane as a transaction sees it, or has left it. Slots are appended at its front and released at
 * its back; strands and claims belong to the back.
 */
final class LaneState {

    private final int number;

    /** The front: where the next slot goes. */
    private long head;

    private long turn;
    private long bytesIn;
    private List<Extent> extents = new ArrayList<>();
    private boolean frontIsNew;
    private boolean frontChanged;
    private boolean frontHeld;

    /** The front as everybody sees it, without what this transaction of a caller has pushed. */
    private long committedHead;

    private long committedBytes;

    /** The back: the oldest held slot. */
    private long gate;

    private long oldest;
    private long oldestTurn;
    private long bytesOut;
    private long moves;
    private boolean backIsNew;
    private boolean backChanged;
    private boolean backHeld;

    private final Map<String, StrandState> strands = new TreeMap<>();

    /** Where slots begin, as far as is known: position, and the number of the slot. */
    private final TreeMap<Long, Long> anchors = new TreeMap<>();

    LaneState(int number) {
        this.number = number;
    }

    /** A lane of which only its slots are known, up to one, and in which cells they are. */
    static LaneState upTo(int number, long turn, List<Extent> extents) {
        LaneState lane = new LaneState(number);
        lane.readFront(0, turn, 0, extents);
        return lane;
    }

    /** Begins a lane that there was not yet, with these cells. */
    void begin(Extent first) {
        frontIsNew = true;
        frontChanged = true;
        backIsNew = true;
        backChanged = true;
        backHeld = true;
        extents.add(first);
    }

    /** Takes over the front as it is read. */
    void readFront(long atHead, long atTurn, long bytes, List<Extent> inExtents) {
        head = atHead;
        turn = atTurn;
        bytesIn = bytes;
        extents = inExtents;
    }

    /** Takes over the front as everybody sees it. */
    void readCommitted(long atHead, long bytes) {
        committedHead = atHead;
        committedBytes = bytes;
    }

    /** Takes over the back as it is read. */
    void readBack(long atGate, long oldestPosition, long atTurn, long bytes, long movesSoFar) {
        gate = atGate;
        oldest = oldestPosition;
        oldestTurn = atTurn;
        bytesOut = bytes;
        moves = movesSoFar;
        anchorOldest();
    }

    /** Takes over a strand as it is read. */
    void readStrand(StrandState ofStage) {
        strands.put(ofStage.strand().stage(), ofStage);
    }

    /**
     * Takes over where a slot begins as a strand or a claim says. Of two slots at which one may
     * begin to look for a position, the earlier one is right.
     */
    void readAnchor(long position, long slot) {
        anchors.merge(position, slot, Math::min);
    }

    /** Forgets what was seen of the back, which is about to be read anew. */
    void forgetBack() {
        strands.clear();
        anchors.clear();
    }

    /** This transaction has locked the front. */
    void holdFront() {
        frontHeld = true;
    }

    /** This transaction has locked the back. */
    void holdBack() {
        backHeld = true;
    }

    /** A slot was appended; how far the lane goes now follows with {@link #moveTo}. */
    void appended(long bytes) {
        turn++;
        bytesIn += bytes;
        frontChanged = true;
    }

    /** Moves head and gate. */
    void moveTo(LaneRow row) {
        frontChanged |= row.head() != head;
        backChanged |= row.gate() != gate;
        head = row.head();
        gate = row.gate();
    }

    /** Moves the gate of a lane whose back another call writes. */
    void moveGate(long to) {
        gate = to;
    }

    /** Goes past a slot, the oldest, that leaves the lane. */
    void pass(StoredSlot slot) {
        oldest = slot.row().end();
        oldestTurn = slot.turn() + 1;
        backChanged = true;
    }

    /** Slots with so many bytes have left the lane. */
    void released(long bytes) {
        bytesOut += bytes;
        anchorOldest();
    }

    /** Everything leaves the lane; returns how many bytes that is. */
    long releaseAll() {
        long freed = heldBytes();
        oldest = head;
        oldestTurn = turn;
        backChanged = true;
        released(freed);
        return freed;
    }

    /** Another call has written the back. */
    void moved() {
        moves++;
        forgetAnchors();
    }

    /** The strand of a stage; null if there is none. */
    StrandState strand(String stage) {
        return strands.get(stage);
    }

    Collection<StrandState> strands() {
        return strands.values();
    }

    /** Whether each of these stages has a strand. */
    boolean hasAll(Set<String> stages) {
        return strands.keySet().containsAll(stages);
    }

    void putStrand(Strand strand) {
        strands.computeIfAbsent(strand.stage(), stage -> StrandState.begun(strand)).become(strand);
        backChanged = true;
    }

    void removeStrand(String stage) {
        strands.remove(stage);
        backChanged = true;
    }

    void putClaim(ClaimRow claim) {
        strand(claim.stage()).put(claim);
        backChanged = true;
    }

    void removeClaim(ClaimRow claim) {
        strand(claim.stage()).remove(claim.epoch());
        backChanged = true;
    }

    /** How far every stage is done. */
    long done() {
        return strands.values().stream()
                .mapToLong(ofStage -> ofStage.strand().done())
                .min()
                .orElse(0);
    }

    int number() {
        return number;
    }

    /** The position of the next message. */
    long head() {
        return head;
    }

    /** The number of the next slot. */
    long turn() {
        return turn;
    }

    /** How many bytes were ever pushed. */
    long bytesIn() {
        return bytesIn;
    }

    /** In which cells its slots are; {@link Cells} changes the list. */
    List<Extent> extents() {
        return extents;
    }

    long gate() {
        return gate;
    }

    /** The position at which the oldest held slot begins. */
    long oldest() {
        return oldest;
    }

    /** The number of the oldest held slot. */
    long oldestTurn() {
        return oldestTurn;
    }

    /** How many bytes were ever released. */
    long bytesOut() {
        return bytesOut;
    }

    /** How often the back, or a strand behind it, has changed. */
    long moves() {
        return moves;
    }

    long held() {
        return head - gate;
    }

    long heldBytes() {
        return bytesIn - bytesOut;
    }

    /** How many messages this transaction of a caller has pushed, which nobody else sees yet. */
    long uncommitted() {
        return head - committedHead;
    }

    long uncommittedBytes() {
        return bytesIn - committedBytes;
    }

    long committedHead() {
        return committedHead;
    }

    LaneRow row() {
        return new LaneRow(number, head, gate, heldBytes());
    }

    /** Whether the lane has no cells yet, so there was none. */
    boolean isNew() {
        return extents.isEmpty();
    }

    /** Whether the front has no row yet. */
    boolean isFrontNew() {
        return frontIsNew;
    }

    boolean isFrontChanged() {
        return frontChanged;
    }

    /** Whether this transaction has the front locked. */
    boolean isFrontHeld() {
        return frontHeld;
    }

    /** Whether the back has no row yet. */
    boolean isBackNew() {
        return backIsNew;
    }

    boolean isBackChanged() {
        return backChanged;
    }

    /** Whether this transaction has the back locked. */
    boolean isBackHeld() {
        return backHeld;
    }

    /** Learns where a slot begins. */
    void anchor(long position, long slot) {
        anchors.put(position, slot);
    }

    private void anchorOldest() {
        anchor(oldest, oldestTurn);
    }

    /**
     * A position, at this one or before it, and the number of the slot that it is in or of one
     * before that. Never of a slot that was released: its cell may have another by now. That may
     * happen to a claim which is done in part, as its line keeps the slot that it began in.
     */
    Map.Entry<Long, Long> anchorAt(long position) {
        Map.Entry<Long, Long> known = anchors.floorEntry(position);
        return known == null || known.getValue() < oldestTurn
                ? Map.entry(oldest, oldestTurn)
                : known;
    }

    /** The number of the slot that a position is in, or of one before that. */
    long turnAt(long position) {
        return anchorAt(position).getValue();
    }

    /** Forgets where slots begin, except for the slots at which the strands and claims stand. */
    private void forgetAnchors() {
        Map<Long, Long> wanted = new TreeMap<>();
        for (StrandState ofStage : strands.values()) {
            Map.Entry<Long, Long> at = anchorAt(ofStage.strand().claimed());
            wanted.put(at.getKey(), at.getValue());
            ofStage.claims().forEach(claim -> wanted.put(claim.from(), turnAt(claim.from())));
        }
        anchors.clear();
        anchors.putAll(wanted);
    }
}
