// SPDX-License-Identifier: Apache-2.0
package dev.slipring.journal;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Random;

/** Which lanes hold up who waits, against a walk back over all that stands before. */
class BehindTest {

    private static final int LANES = 9;

    @Test
    void itIsWhatAWalkBackFinds() {
        for (long seed = 0; seed < 200; seed++) {
            Random random = new Random(seed);
            Behind behind = new Behind(LANES);
            List<BitSet> order = new ArrayList<>();
            for (int i = 0; i < 40; i++) {
                BitSet own = new BitSet();
                random.ints(1 + random.nextInt(2), 0, LANES).forEach(own::set);
                BitSet expected = walkBack(own, order);
                assertThat(behind.next(own)).as("seed " + seed).isEqualTo(expected);
                order.add(own);
            }
        }
    }

    private static BitSet walkBack(BitSet own, List<BitSet> order) {
        BitSet found = (BitSet) own.clone();
        for (int i = order.size() - 1; i >= 0; i--) {
            if (order.get(i).intersects(found)) {
                found.or(order.get(i));
            }
        }
        return found;
    }
}
