// SPDX-License-Identifier: Apache-2.0
package dev.slipring.postgresql;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** A segment, which has 16 to 64 MiB, is looked at about eight times before it is full. */
class TidyIntervalTest {

    @Test
    void smallRingsHaveSmallSegments() {
        assertThat(Tidy.every(1)).isEqualTo(2 << 20);
        assertThat(Tidy.every(64 << 20)).isEqualTo(2 << 20);
    }

    @Test
    void itGrowsWithTheSegment() {
        assertThat(Tidy.every(128 << 20)).isEqualTo(4 << 20);
    }

    @Test
    void noSegmentIsLargerThanTheLargest() {
        assertThat(Tidy.every(256 << 20)).isEqualTo(8 << 20);
        assertThat(Tidy.every(1L << 40)).isEqualTo(8 << 20);
    }
}
