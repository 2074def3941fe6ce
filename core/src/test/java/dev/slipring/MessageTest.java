// SPDX-License-Identifier: Apache-2.0
package dev.slipring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

import java.util.List;

/** A text comes back as it was, or is refused. */
class MessageTest {

    private static final String HALF = "\ud83d";

    @Test
    void aTextWithHalfACharacterIsRefused() {
        List<ThrowingCallable> calls =
                List.of(
                        () -> Message.of(HALF),
                        () -> Codec.text().encode(HALF),
                        () -> Message.of("x").key(HALF),
                        () -> Message.of("x").header("h", HALF));
        for (ThrowingCallable call : calls) {
            assertThatThrownBy(call)
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("unpaired surrogate");
        }
    }

    @Test
    void aWholeOneComesBack() {
        String whale = "\ud83d\udc0b";
        assertThat(Message.of(whale).text()).isEqualTo(whale);
        assertThat(Codec.text().decode(Codec.text().encode(whale))).isEqualTo(whale);
    }
}
