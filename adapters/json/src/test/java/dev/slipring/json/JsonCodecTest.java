// SPDX-License-Identifier: Apache-2.0
package dev.slipring.json;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.slipring.Message;
import dev.slipring.Ring;
import dev.slipring.Slipring;
import dev.slipring.Typed;
import dev.slipring.Workers;
import dev.slipring.graph.RingSpec;
import dev.slipring.graph.StageSpec;

import org.junit.jupiter.api.Test;

import java.time.Duration;
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
    void whatIsNoJsonIsRefused() {
        assertThatThrownBy(() -> codec.decode("{oops".getBytes()))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("no Order in JSON");
    }

    @Test
    void aTypedRingRefusesABadBodyAsAFailure() {
        try (Slipring slipring = Slipring.open("memory:")) {
            Ring ring =
                    slipring.create(
                            RingSpec.named("orders").graph(StageSpec.named("main").tries(1)));
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
}
