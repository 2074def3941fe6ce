// SPDX-License-Identifier: Apache-2.0
package dev.slipring.journal;

import static org.assertj.core.api.Assertions.assertThat;

import dev.slipring.Message;
import dev.slipring.engine.Lanes;
import dev.slipring.engine.Slot;
import dev.slipring.engine.SlotCodec;

import org.junit.jupiter.api.Test;

import java.util.ArrayList;
import java.util.List;

class SlotsTest {

    @Test
    void oneSlotPerLane() {
        List<Message> messages = new ArrayList<>();
        for (int i = 0; i < 100; i++) {
            messages.add(i % 2 == 0 ? Message.of("" + i) : Message.of("" + i).key("k" + i));
        }
        List<Slot> slots = Slots.of(messages, 4, 2, 9, 1);
        assertThat(slots).extracting(Slot::lane).doesNotHaveDuplicates().hasSize(4);
        assertThat(slots.stream().mapToInt(Slot::count).sum()).isEqualTo(100);
        for (Slot slot : slots) {
            for (int i = 0; i < slot.count(); i++) {
                String key = SlotCodec.decode(slot.body(), i).key();
                assertThat(slot.lane()).isEqualTo(key == null ? 2 : Lanes.of(key, 4));
            }
        }
    }

    @Test
    void aLargeBatchBecomesSeveralSlots() {
        List<Message> messages = new ArrayList<>();
        for (int i = 0; i < 10; i++) {
            messages.add(Message.of(new byte[300_000]));
        }
        List<Slot> slots = Slots.of(messages, 1, 0, 9, 1);
        assertThat(slots).extracting(Slot::count).containsExactly(3, 3, 3, 1);
    }

    @Test
    void aHugeMessageHasASlotOfItsOwn() {
        List<Slot> slots =
                Slots.of(
                        List.of(Message.of("a"), Message.of(new byte[3 << 20]), Message.of("b")),
                        1,
                        0,
                        9,
                        1);
        assertThat(slots).extracting(Slot::count).containsExactly(1, 1, 1);
    }
}
