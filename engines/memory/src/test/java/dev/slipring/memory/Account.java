// SPDX-License-Identifier: Apache-2.0
package dev.slipring.memory;

import static org.assertj.core.api.Assertions.assertThat;

import dev.slipring.Claim;
import dev.slipring.Delivery;
import dev.slipring.graph.RingSpec;

import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** What a client was told about each message, and what must not happen after that. */
final class Account {

    private final Set<String> pushed = new HashSet<>();
    private final Map<String, String> ids = new HashMap<>();
    private final RingSpec spec;
    private final Map<String, Set<String>> seen = new HashMap<>();
    private final Map<String, Set<String>> done = new HashMap<>();
    private final Map<Claim, String> stages = new IdentityHashMap<>();
    private final Set<Claim> unsure = Collections.newSetFromMap(new IdentityHashMap<>());

    Account(RingSpec spec) {
        this.spec = spec;
        for (String stage : spec.stages().names()) {
            seen.put(stage, new HashSet<>());
            done.put(stage, new HashSet<>());
        }
    }

    void pushed(List<String> texts) {
        pushed.addAll(texts);
    }

    /** Notes a claim that was handed out while others were surely in hand. */
    void claimed(String stage, Claim claim, List<Claim> inHand) {
        stages.put(claim, stage);
        for (Delivery delivery : claim.deliveries()) {
            String text = delivery.text();
            assertThat(pushed).as("what was refused").contains(text);
            assertThat(ids.computeIfAbsent(text, first -> delivery.id()))
                    .as("pushed once")
                    .isEqualTo(delivery.id());
            assertThat(done.get(stage)).as("done is done").doesNotContain(text);
            seen.get(stage).add(text);
            for (String above : spec.stages().after(stage)) {
                assertThat(seen.get(above)).as("follow").contains(text);
            }
            for (Claim other : inHand) {
                boolean both =
                        stageOf(other).equals(stage)
                                && !unsure.contains(other)
                                && other.left().stream().anyMatch(d -> d.text().equals(text));
                assertThat(both).as(text + " in two hands").isFalse();
            }
        }
    }

    String stageOf(Claim claim) {
        return stages.get(claim);
    }

    void done(String stage, List<Delivery> deliveries) {
        deliveries.forEach(delivery -> done.get(stage).add(delivery.text()));
    }

    /** Notes a word about a claim whose answer did not come. */
    void unsure(Claim claim) {
        unsure.add(claim);
    }

    boolean isSpokenOf(Claim claim) {
        return unsure.contains(claim);
    }

    /** Checks at the end that every stage has seen all that was pushed, and nothing else. */
    void checkAll() {
        seen.forEach((stage, texts) -> assertThat(texts).as(stage).isEqualTo(pushed));
        assertThat(ids.keySet()).isEqualTo(pushed);
    }
}
