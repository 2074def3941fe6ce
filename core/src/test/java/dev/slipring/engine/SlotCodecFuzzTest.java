// SPDX-License-Identifier: Apache-2.0
package dev.slipring.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.slipring.Message;

import org.junit.jupiter.api.Test;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/** A slot is read as it was written, or refused in words, whatever stands in it. */
class SlotCodecFuzzTest {

    private static final int SEEDS = Integer.getInteger("seeds", 20_000);

    @Test
    void whatIsWrittenIsRead() {
        for (long seed = 0; seed < SEEDS / 10; seed++) {
            List<Message> messages = messages(new Random(seed));
            byte[] slot = SlotCodec.encode(messages);
            assertThat(SlotCodec.count(slot)).isEqualTo(messages.size());
            for (int i = 0; i < messages.size(); i++) {
                Message read = SlotCodec.decode(slot, i);
                assertThat(read.body()).as("seed " + seed).isEqualTo(messages.get(i).body());
                assertThat(read.key()).as("seed " + seed).isEqualTo(messages.get(i).key());
                assertThat(read.headers()).isEqualTo(messages.get(i).headers());
            }
        }
    }

    @Test
    void anythingElseIsRefusedInWords() {
        int refused = 0;
        for (long seed = 0; seed < SEEDS; seed++) {
            Random random = new Random(seed);
            byte[] slot = spoilt(random);
            int index = random.nextInt(4);
            try {
                if (index < SlotCodec.count(slot)) {
                    SlotCodec.decode(slot, index).body();
                }
            } catch (IllegalArgumentException e) {
                assertThat(e).as("seed " + seed).hasMessageContaining("not a slot");
                refused++;
            } catch (RuntimeException e) {
                throw new AssertionError("seed " + seed, e);
            }
        }
        assertThat(refused).isGreaterThan(SEEDS / 10);
    }

    private static List<Message> messages(Random random) {
        List<Message> messages = new ArrayList<>();
        boolean rich = random.nextBoolean();
        for (int i = random.nextInt(5); i >= 0; i--) {
            Message message = Message.of(bytes(random, 40));
            if (rich && random.nextBoolean()) {
                message = message.key(text(random));
            }
            for (int j = rich ? random.nextInt(3) : 0; j > 0; j--) {
                message = message.header(text(random), text(random));
            }
            messages.add(message);
        }
        return messages;
    }

    /** A slot with some bytes changed, cut off or added; now and then only noise. */
    private static byte[] spoilt(Random random) {
        byte[] slot = SlotCodec.encode(messages(random));
        if (random.nextInt(4) == 0) {
            slot = bytes(random, 60);
        }
        if (random.nextInt(3) == 0) {
            slot = java.util.Arrays.copyOf(slot, random.nextInt(2 * slot.length + 1));
        }
        for (int i = random.nextInt(4); i > 0 && slot.length > 0; i--) {
            // Most of what can go wrong stands in front.
            int at = random.nextInt(random.nextBoolean() ? slot.length : Math.min(slot.length, 20));
            slot[at] = (byte) (random.nextBoolean() ? random.nextInt() : random.nextInt(3) - 1);
        }
        return slot;
    }

    private static byte[] bytes(Random random, int most) {
        byte[] bytes = new byte[random.nextInt(most)];
        random.nextBytes(bytes);
        return bytes;
    }

    private static String text(Random random) {
        StringBuilder text = new StringBuilder();
        for (int i = random.nextInt(6); i > 0; i--) {
            text.appendCodePoint(random.nextBoolean() ? 'a' + random.nextInt(26) : 0x1F300 + i);
        }
        return text.toString();
    }
}
