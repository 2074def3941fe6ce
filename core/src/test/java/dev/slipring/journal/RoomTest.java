// SPDX-License-Identifier: Apache-2.0
package dev.slipring.journal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.slipring.Message;
import dev.slipring.RingFull;

import org.junit.jupiter.api.Test;

import java.util.List;

/** How much may gather in a journal. */
class RoomTest {

    private final Room room = new Room("r", 10);

    private Entry taken(int bytes) {
        Entry entry = new Entry(List.of(Message.of(new byte[bytes])), 0, null);
        room.take(entry);
        return entry;
    }

    /** If it had to wait until nothing else is there, small ones could keep it out for ever. */
    @Test
    void aLargePushFindsRoomBesideSmallOnes() {
        Entry small = taken(9);
        Entry large = taken(20);
        assertThatThrownBy(() -> taken(1)).isInstanceOf(RingFull.class);
        room.free(small);
        assertThatThrownBy(() -> taken(1)).isInstanceOf(RingFull.class);
        room.free(large);
        assertThat(room.isEmpty()).isTrue();
        room.free(taken(20));
        assertThat(room.isEmpty()).isTrue();
    }
}
