// SPDX-License-Identifier: Apache-2.0
package dev.slipring.json;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;

import dev.slipring.Claim;
import dev.slipring.DeadLetter;
import dev.slipring.Delivery;
import dev.slipring.Message;
import dev.slipring.Ring;
import dev.slipring.Slipring;
import dev.slipring.graph.RingSpec;
import dev.slipring.graph.StageSpec;

import org.junit.jupiter.api.Test;

import java.time.Duration;
import java.time.Instant;
import java.util.List;

/** What Slipring answers, as a page or a script gets it. */
class SlipringModuleTest {

    private final ObjectMapper mapper = new ObjectMapper().registerModule(new SlipringModule());

    private JsonNode json(Object value) throws Exception {
        return mapper.readTree(mapper.writeValueAsString(value));
    }

    @Test
    void aSurveyIsWritten() throws Exception {
        try (Slipring slipring = Slipring.open("memory:")) {
            StageSpec mail = StageSpec.named("mail").lease(Duration.ofMinutes(2));
            Ring ring =
                    slipring.create(
                            RingSpec.named("r").graph(StageSpec.named("charge").then(mail)));
            ring.push("x");
            ring.stage("mail").pause();
            try (Claim claim = ring.stage("charge").worker("ada").claim(1, Duration.ZERO)) {
                assertThat(claim.isEmpty()).isFalse();
                JsonNode survey = json(ring.info());
                assertThat(survey.get("ring").asText()).isEqualTo("r");
                assertThat(survey.get("held_messages").asLong()).isEqualTo(1);
                JsonNode charge = survey.get("stages").get(0);
                assertThat(charge.get("claims").get(0).get("worker").asText()).isEqualTo("ada");
                assertThat(charge.get("next_retry_ms").isNull()).isTrue();
                JsonNode second = survey.get("stages").get(1);
                assertThat(second.get("after").get(0).asText()).isEqualTo("charge");
                assertThat(second.get("lease_ms").asLong()).isEqualTo(120_000);
                assertThat(second.get("paused").asBoolean()).isTrue();
            }
        }
    }

    @Test
    void deadLettersAreWritten() throws Exception {
        try (Slipring slipring = Slipring.open("memory:")) {
            Ring ring =
                    slipring.create(RingSpec.named("r").graph(StageSpec.named("main").tries(1)));
            ring.push(Message.of("größe").key("k").header("trace", "7"));
            ring.push(Message.of(new byte[] {(byte) 0xff, 0}));
            ring.stage()
                    .drain(
                            delivery -> {
                                throw new IllegalStateException("by plan");
                            });
            JsonNode letters = json(ring.stage().deadLetters(9));
            JsonNode text = letters.get(0);
            assertThat(text.get("id").asText()).isEqualTo("0-0");
            assertThat(text.get("key").asText()).isEqualTo("k");
            assertThat(text.get("headers").get("trace").asText()).isEqualTo("7");
            assertThat(text.get("body").asText()).isEqualTo("größe");
            assertThat(text.has("encoding")).isFalse();
            assertThat(text.get("error").asText()).contains("by plan");
            JsonNode bytes = letters.get(1);
            assertThat(bytes.get("key").isNull()).isTrue();
            assertThat(bytes.get("body").binaryValue()).containsExactly(0xff, 0);
            assertThat(bytes.get("encoding").asText()).isEqualTo("base64");
        }
    }

    /** The same message is written in the same way by every process. */
    @Test
    void headersAreInTheOrderOfTheirNames() throws Exception {
        Message message = Message.of("x");
        List<String> names = List.of("city", "kind", "net", "place", "source", "trace");
        for (String name : names) {
            message = message.header(name, "1");
        }
        Delivery delivery = new Delivery(message, 0, 0, 1, Instant.EPOCH);
        DeadLetter letter = new DeadLetter("main", delivery, "no", "ada", Instant.EPOCH);
        assertThat(json(letter).get("headers").fieldNames()).toIterable().isEqualTo(names);
    }
}
