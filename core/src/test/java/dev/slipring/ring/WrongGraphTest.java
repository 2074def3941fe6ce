// SPDX-License-Identifier: Apache-2.0
package dev.slipring.ring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

/** A graph that is wrong is refused, with words, before anything is overwritten. */
class WrongGraphTest {

    private final Sequence a = new SPSequence(8);
    private final Sequence b = new SCSequence();
    private final Sequence c = new SCSequence();

    private static void refused(Sequence used, String words) {
        assertThatThrownBy(used::next)
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining(words);
    }

    @Test
    void capacityIsAPowerOfTwo() {
        for (int capacity : new int[] {-8, 0, 3, 1000}) {
            assertThatThrownBy(() -> new SPSequence(capacity))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining(capacity + " slots: use a power of two");
            assertThatThrownBy(() -> new RingQueue<>(Object::new, capacity))
                    .isInstanceOf(IllegalArgumentException.class);
            assertThatThrownBy(() -> new MCSequence(capacity))
                    .isInstanceOf(IllegalArgumentException.class);
        }
        assertThat(new RingQueue<>(Object::new, 1).getCapacity()).isEqualTo(1);
    }

    @Test
    void aProducerAloneIsRefused() {
        refused(a, "does not come back to it");
    }

    @Test
    void aChainThatDoesNotComeBackIsRefused() {
        a.then(b).then(c);
        refused(a, "does not come back to it");
        refused(c, "does not come back to it");
    }

    @Test
    void aProducerThatFollowsItselfIsRefused() {
        a.then(a);
        refused(a, "nobody reads the ring");
    }

    @Test
    void aConsumerThatFollowsNothingIsRefused() {
        b.then(a);
        refused(b, "follows nothing");
        refused(a, "follows nothing");
    }

    @Test
    void aCircleWithoutProducerIsRefused() {
        b.then(c).then(b);
        refused(b, "in a circle without a producer");
    }

    @Test
    void aCircleBesideTheProducerIsRefused() {
        b.then(c).then(b);
        c.then(a);
        refused(a, "follows itself");
    }

    @Test
    void aSequenceStandsInOnePlace() {
        a.then(b);
        assertThatThrownBy(() -> c.then(b))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("stands in one place");
    }

    @Test
    void aSequenceStandsOnceInAFanOut() {
        FanOut fanOut = FanOut.to(b);
        assertThatThrownBy(() -> fanOut.and(b))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("in this FanOut already");
        a.then(c);
        assertThatThrownBy(() -> fanOut.and(c))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("has its place in a graph already");
    }

    @Test
    void aFanOutIsNotInItself() {
        FanOut outer = new FanOut();
        FanOut inner = outer.addAndGet(new FanOut());
        assertThatThrownBy(() -> inner.and(outer))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("has it as an arm: it cannot be in it");
        assertThatThrownBy(() -> inner.and(inner)).hasMessageContaining("follows this FanOut");
    }

    @Test
    void whatIsMissingIsNamed() {
        assertThatThrownBy(() -> FanOut.to(null)).hasMessage("arm");
        assertThatThrownBy(() -> new FanOut().remove(null)).hasMessage("arm");
        assertThatThrownBy(() -> a.waiting(null)).hasMessage("how");
        ThreadRing<Object> ring = ThreadRing.of(Object::new, 2).work("main", slot -> {}).open();
        assertThatThrownBy(() -> ring.join(null, "main", 1, slot -> {})).hasMessage("stage");
        assertThatThrownBy(() -> ring.leave(null)).hasMessage("stage");
        ring.close();
    }

    @Test
    void aFollowerThatNobodyWaitsForIsRefused() {
        a.then(b).then(a);
        a.then(c);
        refused(a, "would not wait for it");
    }

    @Test
    void aSecondProducerIsRefused() {
        a.then(b).then(new SPSequence(8)).then(a);
        refused(a, "one producer sequence");
    }

    @Test
    void anotherCapacityIsRefused() {
        a.then(new MCSequence(16)).then(a);
        refused(a, "for a ring of 16 slots");
    }

    @Test
    void aWrongGraphCanBeMended() {
        a.then(b);
        refused(a, "does not come back");
        b.then(a);
        assertThat(a.next()).isZero();
    }

    @Test
    void tooLargeABatchIsRefused() {
        a.then(b).then(a);
        assertThatThrownBy(() -> a.next(9))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("use 1 to the ring's 8");
        assertThatThrownBy(() -> new MPSequence(4).next(0))
                .isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void sharedSequencesHaveNoAvailable() {
        assertThatThrownBy(() -> new MPSequence(4).available())
                .isInstanceOf(UnsupportedOperationException.class)
                .hasMessageContaining("next(n)");
    }
}
