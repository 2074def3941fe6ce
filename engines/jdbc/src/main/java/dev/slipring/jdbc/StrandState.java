// SPDX-License-Identifier: Apache-2.0
package dev.slipring.jdbc;

import dev.slipring.ledger.ClaimRow;
import dev.slipring.ledger.Strand;

import java.util.Collection;
import java.util.OptionalLong;
import java.util.TreeMap;

/** A strand of a lane, and the claims on it, as a transaction sees them or has left them. */
final class StrandState {

    private Strand strand;
    private final TreeMap<Long, ClaimRow> claims = new TreeMap<>();
    private final boolean isNew;
    private boolean changed;

    private StrandState(Strand strand, boolean isNew) {
        this.strand = strand;
        this.isNew = isNew;
    }

    /** One that is read. */
    static StrandState of(Strand strand) {
        return new StrandState(strand, false);
    }

    /** One that there was not yet. */
    static StrandState begun(Strand strand) {
        return new StrandState(strand, true);
    }

    Strand strand() {
        return strand;
    }

    void become(Strand next) {
        strand = next;
        changed = true;
    }

    /** The claims, the oldest first. */
    Collection<ClaimRow> claims() {
        return claims.values();
    }

    /** The claim of an epoch; null if there is none. */
    ClaimRow claim(long epoch) {
        return claims.get(epoch);
    }

    /** Takes over a claim as it is read. */
    void read(ClaimRow claim) {
        claims.put(claim.epoch(), claim);
    }

    void put(ClaimRow claim) {
        claims.put(claim.epoch(), claim);
        changed = true;
    }

    /** Removes the claim of an epoch; returns it, or null if there was none. */
    ClaimRow remove(long epoch) {
        changed = true;
        return claims.remove(epoch);
    }

    /** Where the first of its claims begins, if there is one. */
    OptionalLong lowest() {
        return claims.values().stream().mapToLong(ClaimRow::from).min();
    }

    /** When the first of its claims runs out. */
    long expires() {
        return claims.values().stream().mapToLong(ClaimRow::expires).min().orElse(Long.MAX_VALUE);
    }

    /** Whether it has no row yet. */
    boolean isNew() {
        return isNew;
    }

    boolean isChanged() {
        return changed;
    }
}
