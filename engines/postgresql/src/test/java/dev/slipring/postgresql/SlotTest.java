// SPDX-License-Identifier: Apache-2.0
package dev.slipring.postgresql;

import static org.assertj.core.api.Assertions.assertThat;

import dev.slipring.Claim;
import dev.slipring.Delivery;
import dev.slipring.Message;
import dev.slipring.Ring;
import dev.slipring.Slipring;
import dev.slipring.graph.RingSpec;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/** Slots are cut into rows of 8000 bytes, which shows nowhere outside. */
class SlotTest {

    @RegisterExtension private final NewDatabase database = new NewDatabase();

    private Slipring slipring;

    @BeforeEach
    void open() throws SQLException {
        slipring = Slipring.open(database.url());
    }

    @AfterEach
    void close() throws SQLException {
        slipring.close();
    }

    private static byte[] bytes(int size) {
        byte[] bytes = new byte[size];
        new Random(size).nextBytes(bytes);
        return bytes;
    }

    @Test
    void slotsOfAnySizeComeBackWhole() throws SQLException {
        Ring ring = slipring.create(RingSpec.named("r").lanes(1));
        List<byte[]> pushed = new ArrayList<>();
        for (int size : new int[] {0, 1, 7_989, 7_990, 7_991, 8_000, 15_990, 15_991, 900_000}) {
            pushed.add(bytes(size));
            ring.push(Message.of(bytes(size)));
        }
        assertThat(database.number("SELECT count(*) FROM slipring.slot_{ring}_0 WHERE rest"))
                .isGreaterThan(100);
        assertThat(database.number("SELECT count(*) FROM slipring.messages('r')"))
                .isEqualTo(pushed.size());
        Claim claim = ring.stage().claim(100, Duration.ZERO);
        assertThat(claim.deliveries().stream().map(Delivery::body))
                .containsExactlyElementsOf(pushed);
        claim.fail(claim.deliveries().get(8), "no", Duration.ZERO);
        claim.done();
        Claim again = ring.stage().claim(100, Duration.ofSeconds(5));
        assertThat(again.deliveries().get(0).body()).isEqualTo(pushed.get(8));
        again.done();
        assertThat(ring.check()).isEmpty();
    }

    @Test
    void aClaimMayEndInsideASlot() {
        Ring ring = slipring.create(RingSpec.named("r").lanes(1));
        List<Message> messages = new ArrayList<>();
        for (int i = 0; i < 100; i++) {
            messages.add(Message.of(bytes(1_000 + i)));
        }
        ring.pushAll(messages);
        Claim claim = ring.stage().claim(7, Duration.ZERO);
        int at = 0;
        while (!claim.isEmpty()) {
            for (Delivery delivery : claim.deliveries()) {
                assertThat(delivery.body()).isEqualTo(bytes(1_000 + at++));
            }
            claim = claim.doneAndNext(7, Duration.ZERO);
        }
        assertThat(at).isEqualTo(100);
        assertThat(ring.info().heldMessages()).isZero();
        assertThat(ring.check()).isEmpty();
    }

    @Test
    void aRingThatWasMadeAnewIsFound() {
        Ring ring = slipring.create(RingSpec.named("r"));
        ring.push("lost with its ring");
        ring.stage().claim(1, Duration.ZERO).done();
        try (Slipring other = Slipring.open(database.url())) {
            other.drop("r");
            other.create(RingSpec.named("r"));
        }
        ring.push("new");
        Claim claim = ring.stage().claim(1, Duration.ZERO);
        assertThat(claim.deliveries().get(0).text()).isEqualTo("new");
        claim.done();
        assertThat(ring.check()).isEmpty();
    }
}
