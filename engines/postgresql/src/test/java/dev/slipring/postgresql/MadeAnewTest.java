// SPDX-License-Identifier: Apache-2.0
package dev.slipring.postgresql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.slipring.Message;
import dev.slipring.NoSuchRing;
import dev.slipring.Ring;
import dev.slipring.Slipring;
import dev.slipring.engine.Lanes;
import dev.slipring.graph.RingSpec;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** A ring that another process drops and makes anew. */
class MadeAnewTest {

    @RegisterExtension private final NewDatabase database = new NewDatabase();

    private static Stream<String> keys(int lane) {
        return IntStream.range(0, 1000)
                .mapToObj(i -> "key" + i)
                .filter(key -> Lanes.of(key, 8) == lane);
    }

    @Test
    void aLaneThatIsNotThereAnyMoreIsToldInWords() {
        Ring old = database.slipring().create(RingSpec.named("r").lanes(8));
        old.push("of the old one");
        try (Slipring other = Slipring.open(database.url())) {
            other.drop("r");
            Ring anew = other.create(RingSpec.named("r").lanes(2));
            Message lost = Message.of("x").key(keys(5).findFirst().orElseThrow());
            Message found = Message.of("y").key(keys(1).findFirst().orElseThrow());
            for (List<Message> push : List.of(List.of(lost), List.of(found, lost))) {
                assertThatThrownBy(() -> old.pushAll(push))
                        .isInstanceOf(NoSuchRing.class)
                        .hasMessage(
                                "no lane 5 in a ring of 2; it was dropped and made anew:"
                                        + " open it again");
            }
            assertThat(anew.info().pushed()).isZero();
            database.slipring().ring("r").pushAll(List.of(lost, found));
            assertThat(anew.info().pushed()).isEqualTo(2);
        }
    }
}
