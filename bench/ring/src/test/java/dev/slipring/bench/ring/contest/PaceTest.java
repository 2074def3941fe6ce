// SPDX-License-Identifier: Apache-2.0
package dev.slipring.bench.ring.contest;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

import java.util.function.LongConsumer;
import java.util.stream.LongStream;

/**
 * Messages are due at even intervals, whichever producer publishes them, and are measured at the
 * end of the graph.
 */
class PaceTest {

    @Test
    void producersTakeTurns() {
        Pace pace = new Pace(Shape.of(3, new int[] {1}), 1_000_000, 10);
        long start = pace.due(0);
        long[] due = LongStream.range(0, 10).map(value -> pace.due(value) - start).toArray();
        // Three, three and four numbers, one producer after the other.
        assertThat(due)
                .containsExactly(0, 3_000, 6_000, 1_000, 4_000, 7_000, 2_000, 5_000, 8_000, 11_000);
    }

    @Test
    void theLastProducerHasAllWhereThereAreFewerThanProducers() {
        Pace pace = new Pace(Shape.of(3, new int[] {1}), 1_000_000, 2);
        assertThat(pace.due(1) - pace.due(0)).isEqualTo(3_000);
    }

    @Test
    void allThreadsOfTheLastLevelMeasure() {
        Pace pace = new Pace(Shape.of(1, new int[] {1}, new int[] {1, 2}), 1_000, 4);
        assertThat(pace.gauge(0)).isNull();
        LongConsumer one = pace.gauge(1);
        LongConsumer other = pace.gauge(1);
        pace.await(1);
        one.accept(0);
        other.accept(1);
        assertThat(pace.latencies().getTotalCount()).isEqualTo(2);
        assertThat(pace.latencies().getMaxValue()).isGreaterThanOrEqualTo(1_000_000);
    }
}
