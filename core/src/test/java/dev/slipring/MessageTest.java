// SPDX-License-Identifier: Apache-2.0
package dev.slipring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.slipring.engine.SlotCodec;

import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** What a message has comes back as it was, or is refused. */
class MessageTest {

    private static final String HALF = "\ud83d";

    /** UTF-8 would keep another text in its place. */
    @Test
    void aTextWithHalfACharacterIsRefused() {
        List<ThrowingCallable> calls =
                List.of(
                        () -> Message.of(HALF),
                        () -> Codec.text().encode(HALF),
                        () -> Message.of("x").key(HALF),
                        () -> Message.of("x").key("a" + HALF),
                        () -> Message.of("x").header("\udc0b", "x"),
                        () -> Message.of("x").header("h", HALF),
                        () -> Message.of("x").headers(Map.of("h", "x", HALF, "x")));
        for (ThrowingCallable call : calls) {
            assertThatThrownBy(call)
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("unpaired surrogate");
        }
        assertThat(Message.of("x").key(HALF + "\udc0b").key()).isEqualTo("\ud83d\udc0b");
    }

    @Test
    @Timeout(20)
    void headersAreGivenTogether() {
        Map<String, String> many = new HashMap<>();
        for (int i = 0; i < 100_000; i++) {
            many.put("h" + i, "" + i);
        }
        Message message = Message.of("x").header("h1", "before").header("own", "kept");
        Message more = message.headers(many);
        assertThat(more.headers()).hasSize(100_001).containsEntry("own", "kept");
        assertThat(more.headers()).containsAllEntriesOf(many);
        assertThat(message.headers()).hasSize(2);
        many.put("late", "x");
        assertThat(more.headers()).doesNotContainKey("late");
        assertThat(more.headers(Map.of()).headers()).isEqualTo(more.headers());
    }

    /** Whoever may push must not be able to keep those busy for hours who claim it. */
    @Test
    @Timeout(20)
    void headersWhoseNamesHashToOneAreReadAtOnce() {
        Map<String, String> headers = new HashMap<>();
        for (int i = 0; i < 1 << 17; i++) {
            StringBuilder name = new StringBuilder();
            for (int bit = 0; bit < 17; bit++) {
                name.append((i >> bit & 1) == 0 ? "Aa" : "BB");
            }
            headers.put(name.toString(), "" + i);
        }
        byte[] slot = SlotCodec.encode(List.of(Message.of(null, headers, new byte[1], 0, 1)));
        Map<String, String> read = SlotCodec.decode(slot, 0).headers();
        assertThat(read.equals(headers)).isTrue();
        assertThatThrownBy(() -> read.put("a", "b"))
                .isInstanceOf(UnsupportedOperationException.class);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 100})
    void aHeaderWithoutATextIsRefused(int headers) {
        Map<String, String> some = new HashMap<>();
        for (int i = 0; i < headers; i++) {
            some.put("header " + i, i == 0 ? null : "x");
        }
        assertThatThrownBy(() -> Message.of(null, some, new byte[0], 0, 0))
                .isInstanceOf(NullPointerException.class);
    }

    @Test
    void aWholeOneComesBack() {
        String whale = "\ud83d\udc0b";
        assertThat(Message.of(whale).text()).isEqualTo(whale);
        assertThat(Codec.text().decode(Codec.text().encode(whale))).isEqualTo(whale);
    }

    @Test
    void aBodyThatIsAPartOfAnArrayIsShownAlone() {
        byte[] array = {1, 2, 3, 4};
        Message message = Message.of(null, Map.of(), array, 1, 2);
        assertThat(message.buffer()).isEqualTo(ByteBuffer.wrap(new byte[] {2, 3}));
        assertThat(message.buffer().isReadOnly()).isTrue();
        assertThat(message.body()).containsExactly(2, 3);
        assertThat(Codec.bytes().decode(Codec.bytes().encode(array))).isEqualTo(array);
    }
}
