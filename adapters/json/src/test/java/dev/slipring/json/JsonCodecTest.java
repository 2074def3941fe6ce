// SPDX-License-Identifier: Apache-2.0
package dev.slipring.json;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.slipring.Claim;
import dev.slipring.Delivery;
import dev.slipring.Message;
import dev.slipring.Ring;
import dev.slipring.Slipring;
import dev.slipring.Typed;
import dev.slipring.Workers;
import dev.slipring.graph.RingSpec;
import dev.slipring.graph.StageSpec;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

class JsonCodecTest {

    /**
     * An order.
     *
     * @param id its id
     * @param items what is ordered
     */
    record Order(int id, List<String> items) {}

    private final JsonCodec<Order> codec = JsonCodec.of(Order.class);

    @Test
    void valuesComeBack() {
        Order order = new Order(7, List.of("größe", "\"quoted\""));
        assertThat(codec.decode(codec.encode(order))).isEqualTo(order);
    }

    @Test
    void aTextMayBeAsLongAsAMessage() {
        Order order = new Order(7, List.of("x".repeat(21_000_000)));
        assertThat(codec.decode(codec.encode(order)).equals(order)).isTrue();
    }

    @ParameterizedTest
    @ValueSource(strings = {"{oops", "", "null", "{\"id\":1,\"items\":[]} {\"id\":2}"})
    void whatIsNoJsonIsRefused(String body) {
        assertThatThrownBy(() -> codec.decode(body.getBytes(StandardCharsets.UTF_8)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("no Order in JSON");
    }

    @Test
    void nothingIsNoValue() {
        assertThatThrownBy(() -> codec.encode(null))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("null is no Order");
    }

    /** A ring whose messages are dead once they failed. */
    private static Ring triedOnce(Slipring slipring) {
        return slipring.create(RingSpec.named("orders").graph(StageSpec.named("main").tries(1)));
    }

    @Test
    void aTypedRingRefusesABadBodyAsAFailure() {
        try (Slipring slipring = Slipring.open("memory:")) {
            Ring ring = triedOnce(slipring);
            Typed<Order> orders = ring.as(codec);
            List<Order> seen = new CopyOnWriteArrayList<>();
            orders.push(new Order(1, List.of()));
            ring.push(Message.of("not an order"));
            orders.pushAll(List.of(new Order(2, List.of("x"))));
            try (Workers workers = orders.work("main", 1, (order, delivery) -> seen.add(order))) {
                assertThat(ring.drain(Duration.ofSeconds(30))).isTrue();
            }
            assertThat(seen).extracting(Order::id).containsExactly(1, 2);
            assertThat(ring.stage().deadLetters(9)).hasSize(1);
        }
    }

    @Test
    void aTypedRingIsDrained() {
        try (Slipring slipring = Slipring.open("memory:")) {
            Ring ring = triedOnce(slipring);
            Typed<Order> orders = ring.as(codec);
            orders.push(new Order(1, List.of()));
            ring.push(Message.of("not an order"));
            List<Order> seen = new ArrayList<>();
            assertThat(orders.drain("main", (order, delivery) -> seen.add(order))).isEqualTo(2);
            assertThat(seen).containsExactly(new Order(1, List.of()));
            assertThat(ring.stage().deadLetters(9)).hasSize(1);
        }
    }

    @Test
    void whatIsClaimedHasAValueToo() {
        try (Slipring slipring = Slipring.open("memory:")) {
            Ring ring = slipring.create(RingSpec.named("orders"));
            Typed<Order> orders = ring.as(codec);
            orders.push(new Order(1, List.of("x")));
            ring.push(Message.of("not an order"));
            try (Claim claim = ring.stage().claim(2, Duration.ZERO)) {
                Delivery order = claim.deliveries().get(0);
                assertThat(orders.value(order)).isEqualTo(new Order(1, List.of("x")));
                Delivery other = claim.deliveries().get(1);
                assertThatThrownBy(() -> orders.value(other))
                        .isInstanceOf(IllegalArgumentException.class);
                claim.done();
            }
        }
    }
}
