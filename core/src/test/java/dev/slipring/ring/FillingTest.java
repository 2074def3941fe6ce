// SPDX-License-Identifier: Apache-2.0
package dev.slipring.ring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Timeout.ThreadMode.SEPARATE_THREAD;

import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicLong;

/**
 * What fills a slot may push elsewhere, but neither push into the ring of the slot nor close it.
 */
class FillingTest {

    private final List<Long> handled = new CopyOnWriteArrayList<>();

    private ThreadRing<AtomicLong> ring(boolean oneProducer) {
        ThreadRingBuilder<AtomicLong> builder =
                ThreadRing.of(AtomicLong::new, 2).work("main", slot -> handled.add(slot.get()));
        return (oneProducer ? builder.oneProducer() : builder).open();
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void aFillerCannotPushIntoItsOwnRing(boolean oneProducer) throws Exception {
        ThreadRing<AtomicLong> ring = ring(oneProducer);
        ring.push(
                slot -> {
                    slot.set(1);
                    assertThatThrownBy(() -> ring.push(next -> next.set(2)))
                            .isInstanceOf(IllegalStateException.class)
                            .hasMessageContaining("a filler cannot push into the ring");
                    assertThatThrownBy(() -> ring.push(next -> next.set(3), Duration.ZERO))
                            .hasMessageContaining("a filler cannot push into the ring");
                });
        assertThatThrownBy(
                        () ->
                                ring.push(
                                        slot -> {
                                            throw new IllegalArgumentException("broken");
                                        }))
                .hasMessage("broken");
        ring.push(slot -> slot.set(4));
        ring.close();
        assertThat(handled).containsExactly(1L, 4L);
    }

    /** Closing waits for what is pushed, and so for the slot that is being filled. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    @Timeout(value = 20, threadMode = SEPARATE_THREAD)
    void aFillerCannotCloseItsOwnRing(boolean oneProducer) throws Exception {
        ThreadRing<AtomicLong> ring = ring(oneProducer);
        ring.push(
                slot -> {
                    slot.set(1);
                    assertThatThrownBy(ring::close)
                            .isInstanceOf(IllegalStateException.class)
                            .hasMessageContaining("a filler cannot close the ring");
                });
        ring.push(slot -> slot.set(2));
        ring.close();
        assertThat(handled).containsExactly(1L, 2L);
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void aFillerPushesIntoAnotherRing(boolean oneProducer) throws Exception {
        try (ThreadRing<AtomicLong> ring = ring(oneProducer);
                ThreadRing<AtomicLong> other = ring(oneProducer)) {
            ring.push(
                    slot -> {
                        slot.set(1);
                        push(other);
                    });
        }
        assertThat(handled).containsExactlyInAnyOrder(1L, 2L);
    }

    private static void push(ThreadRing<AtomicLong> ring) {
        try {
            ring.push(slot -> slot.set(2));
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }
}
