// SPDX-License-Identifier: Apache-2.0
package dev.slipring.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.slipring.Message;

import org.junit.jupiter.api.Test;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;

class SlotCodecTest {

    private static List<Message> messages(Random random) {
        boolean rich = random.nextBoolean();
        List<Message> messages = new ArrayList<>();
        for (int i = random.nextInt(20); i >= 0; i--) {
            byte[] body = new byte[random.nextInt(4) == 0 ? 0 : random.nextInt(500)];
            random.nextBytes(body);
            Message message = Message.of(body);
            if (rich && random.nextBoolean()) {
                message = message.key("clé" + random.nextInt()).header("h", "").header("", "✓");
            }
            messages.add(message);
        }
        return messages;
    }

    @Test
    void plainMessagesCostFourBytesEach() {
        List<Message> messages = List.of(Message.of("abc"), Message.of(""), Message.of("d"));
        assertThat(SlotCodec.encode(messages)).hasSize(6 + 3 * 4 + 4);
    }

    @Test
    void theSizeIsWhatAMessageTakes() {
        Message rich = Message.of("body").key("ключ").header("größe", "é");
        int empty = SlotCodec.encode(List.of(Message.of("").key(""))).length - 8;
        assertThat(SlotCodec.encode(List.of(rich))).hasSize((int) (empty + SlotCodec.size(rich)));
    }

    private static boolean isRefused(byte[] broken) {
        try {
            for (int i = SlotCodec.count(broken) - 1; i >= 0; i--) {
                SlotCodec.decode(broken, i).body();
            }
            return false;
        } catch (IllegalArgumentException e) {
            assertThat(e).hasMessageStartingWith("not a slot");
            return true;
        }
    }

    /** A number below none, where the length of a key or the number of headers stands. */
    @Test
    void aNegativeNumberIsNotTakenForNone() {
        byte[] slot = SlotCodec.encode(List.of(Message.of("x").key("k").header("h", "v")));
        int key = (int) SlotCodec.overhead(1);
        int headers = key + 4 + 1;
        assertThat(isRefused(with(slot, key, -2))).isTrue();
        assertThat(isRefused(with(slot, headers, -1))).isTrue();
    }

    private static byte[] with(byte[] slot, int at, int number) {
        byte[] changed = slot.clone();
        ByteBuffer.wrap(changed).putInt(at, number);
        return changed;
    }

    @Test
    void nothingIsNoSlot() {
        assertThatThrownBy(() -> SlotCodec.count(new byte[0])).hasMessageContaining("0 bytes");
    }

    /** One key is enough: then the lane is not free to choose. */
    @Test
    void aKeyIsFoundWhereverItStands() {
        Message plain = Message.of("x");
        Message named = plain.header("name", "value");
        Message keyed = plain.key("");
        assertThat(isKeyed(plain)).isFalse();
        assertThat(isKeyed(plain, named, plain)).isFalse();
        assertThat(isKeyed(keyed)).isTrue();
        assertThat(isKeyed(keyed, plain)).isTrue();
        assertThat(isKeyed(plain, keyed, named)).isTrue();
        assertThat(isKeyed(named, plain, keyed)).isTrue();
    }

    private static boolean isKeyed(Message... messages) {
        return SlotCodec.isKeyed(SlotCodec.encode(List.of(messages)));
    }

    @Test
    void aSlotIsWholeWithItsLastByte() {
        for (long seed = 0; seed < 100; seed++) {
            List<Message> messages = messages(new Random(seed));
            byte[] slot = SlotCodec.encode(messages);
            int size = messages.size();
            assertThat(SlotCodec.isWhole(slot, size)).isTrue();
            assertThat(SlotCodec.isWhole(Arrays.copyOf(slot, slot.length + 1), size)).isTrue();
            assertThat(SlotCodec.isWhole(Arrays.copyOf(slot, slot.length - 1), size)).isFalse();
            assertThat(SlotCodec.isWhole(slot, size + 1)).isFalse();
            assertThat(SlotCodec.isWhole(slot, size - 1)).isFalse();
            byte[] other = slot.clone();
            other[0]++;
            assertThat(SlotCodec.isWhole(other, size)).isFalse();
        }
        for (int length = 0; length < 10; length++) {
            assertThat(SlotCodec.isWhole(new byte[length], 0)).isFalse();
            assertThat(SlotCodec.isWhole(new byte[length], 1)).isFalse();
        }
    }
}
