// SPDX-License-Identifier: Apache-2.0
package dev.slipring.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.slipring.Message;
import dev.slipring.RingFull;
import dev.slipring.Slipring;
import dev.slipring.SlipringException;
import dev.slipring.engine.Slot;
import dev.slipring.engine.SlotCodec;
import dev.slipring.graph.RingSpec;
import dev.slipring.kit.server.RunningServer;
import dev.slipring.kit.server.ServerFiles;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.RegisterExtension;

import java.util.List;
import java.util.concurrent.atomic.AtomicLong;

/** A process remembers nothing of a ring that is gone. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class MemoTest {

    private static final RingSpec SPEC = RingSpec.named("gone").lanes(2).messages(40);

    @RegisterExtension
    private final RunningServer server = new RunningServer(ServerFiles.MARIADB_11);

    private static Memo memo(Slipring slipring) {
        return ((JdbcStore) slipring.store()).transactor().memo();
    }

    private static void push(Slipring slipring) {
        byte[] body = SlotCodec.encode(List.of(Message.of("x")));
        slipring.store().push("gone", List.of(new Slot(0, 0, 0, 1, body)));
    }

    /** Pushes until the ring is full; returns the ring's id. */
    private static long fill(Slipring slipring) {
        AtomicLong id = new AtomicLong();
        assertThatThrownBy(
                        () -> {
                            while (true) {
                                push(slipring);
                                id.set(memo(slipring).shapes().get("gone").id());
                            }
                        })
                .isInstanceOf(RingFull.class);
        assertThat(memo(slipring).homes()).containsKey(id.get());
        assertThat(memo(slipring).margins().isTight(id.get())).isTrue();
        return id.get();
    }

    private static void assertForgotten(Slipring slipring, long id) {
        assertThat(memo(slipring).homes()).doesNotContainKey(id);
        assertThat(memo(slipring).margins().isTight(id)).isFalse();
        assertThat(memo(slipring).fronts().take(id, 0, 0, 0)).isNull();
        assertThat(memo(slipring).fronts().take(id, 1, 0, 0)).isNull();
        assertThat(memo(slipring).ids()).doesNotContainValue(id);
    }

    @Test
    void aLostConnectionForgetsWhatWasCommitted() {
        Memo memo = new Memo(true);
        memo.fronts().put(1, 0, new Fronts.Front(5, 9, 900, 9, new Extent(0, 0, 128)));
        HomeLane before = memo.home(1);
        memo.forgetCommitted();
        assertThat(memo.fronts().take(1, 0, 1, 1)).isNull();
        assertThat(memo.home(1)).isNotSameAs(before);
    }

    @Test
    void aRingThatWasDroppedIsForgotten() {
        try (Slipring slipring = Slipring.open(server.get().url(server.get().newDatabase()))) {
            slipring.create(SPEC);
            long id = fill(slipring);
            slipring.drop("gone");
            assertForgotten(slipring, id);
        }
    }

    @Test
    void aRingThatOthersDroppedIsForgottenWhenThatIsFound() {
        String url = server.get().url(server.get().newDatabase());
        try (Slipring slipring = Slipring.open(url);
                Slipring other = Slipring.open(url)) {
            slipring.create(SPEC);
            long id = fill(slipring);
            other.drop("gone");
            assertThatThrownBy(() -> push(slipring)).isInstanceOf(SlipringException.class);
            assertForgotten(slipring, id);
            other.create(SPEC);
            long next = fill(slipring);
            other.drop("gone");
            other.create(SPEC.messages(100));
            push(slipring);
            assertForgotten(slipring, next);
        }
    }
}
