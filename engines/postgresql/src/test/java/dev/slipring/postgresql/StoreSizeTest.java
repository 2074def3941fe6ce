// SPDX-License-Identifier: Apache-2.0
package dev.slipring.postgresql;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

import java.util.concurrent.atomic.AtomicLong;

/** How often the server is asked for its size. */
class StoreSizeTest {

    private static final long MILLI = 1_000_000;

    private final AtomicLong now = new AtomicLong(Long.MAX_VALUE - 1_000 * MILLI);
    private final AtomicLong asked = new AtomicLong();
    private final StoreSize size = new StoreSize(now::get);

    private long after(long wait, long takes) {
        now.addAndGet(wait * MILLI);
        return size.bytes(
                () -> {
                    now.addAndGet(takes * MILLI);
                    return asked.incrementAndGet();
                });
    }

    /** With many rings it takes long; it is asked for with each look at each of them. */
    @Test
    void whatTookLongHoldsForLong() {
        assertThat(after(0, 500)).isEqualTo(1);
        assertThat(after(0, 500)).isEqualTo(1);
        assertThat(after(9_999, 500)).isEqualTo(1);
        assertThat(after(1, 1)).isEqualTo(2);
        assertThat(after(19, 1)).isEqualTo(2);
        assertThat(after(1, 60_000)).isEqualTo(3);
        assertThat(after(59_999, 1)).isEqualTo(3);
        assertThat(after(1, 1)).isEqualTo(4);
    }
}
