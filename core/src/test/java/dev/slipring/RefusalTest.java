// SPDX-License-Identifier: Apache-2.0
package dev.slipring;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import java.util.List;
import java.util.stream.Stream;

/** Each of those who are refused together has an exception of his own. */
class RefusalTest {

    static Stream<RuntimeException> reasons() {
        return Stream.of(
                new RingFull("full", 3, 4),
                new LaneKept("kept", List.of(1)),
                new StoreFailed("failed"),
                new StoreUnreachable("out of reach"),
                new RingBroken("r", "rows are gone"),
                new OutcomeUnknown("unknown"),
                new NoSuchRing("gone"));
    }

    @ParameterizedTest
    @MethodSource("reasons")
    void itIsOfTheSameKindAndSaysTheSame(RuntimeException shared) {
        RuntimeException own = Refusal.here(shared);
        assertThat(own)
                .isNotSameAs(shared)
                .hasSameClassAs(shared)
                .hasMessage(shared.getMessage())
                .hasCause(shared);
        assertThat(own.getStackTrace()[0].getClassName()).isEqualTo(Refusal.class.getName());
        assertThat(Refusal.here(shared)).isNotSameAs(own);
    }

    @Test
    void whatItHoldsIsKept() {
        assertThat((RingFull) Refusal.here(new RingFull("full", 3, 4)))
                .returns(3L, RingFull::freeMessages)
                .returns(4L, RingFull::freeBytes);
        LaneKept kept = (LaneKept) Refusal.here(new LaneKept("kept", List.of(1)));
        assertThat(kept.lanes()).containsExactly(1);
        RingBroken broken = (RingBroken) Refusal.here(new RingBroken("r", "rows are gone"));
        assertThat(broken.what()).isEqualTo("rows are gone");
    }

    @Test
    void anotherKindIsGivenAsItIs() {
        RuntimeException other = new IllegalStateException("a fault");
        assertThat(Refusal.here(other)).isSameAs(other);
    }
}
