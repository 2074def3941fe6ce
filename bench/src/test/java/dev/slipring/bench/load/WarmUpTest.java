// SPDX-License-Identifier: Apache-2.0
package dev.slipring.bench.load;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.slipring.bench.BenchFailed;

import org.junit.jupiter.api.Test;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;

/** The measuring waits while the compilers are busy, but not for ever. */
class WarmUpTest {

    private static final Duration SECOND = Duration.ofSeconds(1);

    private final AtomicInteger looks = new AtomicInteger();
    private final Trouble trouble = new Trouble();

    @Test
    void itLooksUntilThereIsLittleToCompile() throws InterruptedException {
        Timing timing = new Timing(Duration.ZERO, SECOND.multipliedBy(600), SECOND);
        WarmUp.await(timing, trouble, () -> Math.min(3, looks.getAndIncrement()) * 1000L);
        assertThat(looks).hasValue(5);
    }

    @Test
    void itEndsWhereTheCompilersDoNot() throws InterruptedException {
        WarmUp.await(
                new Timing(Duration.ZERO, SECOND, SECOND),
                trouble,
                () -> looks.getAndIncrement() * 1000L);
        assertThat(looks).hasValueGreaterThan(2);
    }

    @Test
    void whatHappensMeanwhileEndsIt() {
        trouble.start(
                "fails",
                () -> {
                    throw new IllegalStateException("broken");
                });
        Timing timing = new Timing(SECOND.multipliedBy(600), SECOND);
        assertThatThrownBy(() -> WarmUp.await(timing, trouble))
                .isInstanceOf(BenchFailed.class)
                .hasMessageContaining("broken");
    }
}
