// SPDX-License-Identifier: Apache-2.0
package dev.slipring.journal;

import java.util.BitSet;

/**
 * Which lanes hold up entries that wait in order: those of an entry itself, and those of what it
 * stands behind. To be shown one entry after the other.
 */
final class Behind {

    /** For each lane which lanes hold up what comes for it next; null where nothing did yet. */
    private final BitSet[] lanes;

    Behind(int lanes) {
        this.lanes = new BitSet[lanes];
    }

    /** The lanes that hold up the next entry, which is for these; not to be changed. */
    BitSet next(BitSet own) {
        BitSet all = (BitSet) own.clone();
        for (int lane = own.nextSetBit(0); lane >= 0; lane = own.nextSetBit(lane + 1)) {
            if (lanes[lane] != null) {
                all.or(lanes[lane]);
            }
        }
        for (int lane = own.nextSetBit(0); lane >= 0; lane = own.nextSetBit(lane + 1)) {
            lanes[lane] = all;
        }
        return all;
    }
}
