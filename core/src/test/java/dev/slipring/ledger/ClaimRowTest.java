// SPDX-License-Identifier: Apache-2.0
package dev.slipring.ledger;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import org.junit.jupiter.api.Test;

import java.time.Duration;
import java.util.BitSet;

class ClaimRowTest {

    private static ClaimRow claim(long from, long to, long settled) {
        BitSet bits = BitSet.valueOf(new long[] {settled});
        return new ClaimRow("main", 0, 1, from, to, bits, 1, "worker", 0);
    }

    @Test
    void whatIsSettledCountsForNothing() {
        ClaimRow claim = claim(10, 15, 0b00110);
        assertThat(claim.endOf(0)).isEqualTo(10);
        assertThat(claim.endOf(1)).isEqualTo(11);
        assertThat(claim.endOf(2)).isEqualTo(14);
        assertThat(claim.endOf(3)).isEqualTo(15);
    }

    /** A loop of two to the power of 63 steps, with the store locked meanwhile. */
    @Test
    void aDamagedClaimHasAnEnd() {
        assertTimeoutPreemptively(
                Duration.ofSeconds(30),
                () -> {
                    assertThat(claim(10, 15, 0b11111).endOf(1)).isEqualTo(15);
                    assertThat(claim(10, 10, 0).endOf(1)).isEqualTo(10);
                    assertThat(claim(10, 5, 0).endOf(1)).isEqualTo(10);
                });
    }
}
