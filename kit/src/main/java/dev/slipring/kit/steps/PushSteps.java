// SPDX-License-Identifier: Apache-2.0
package dev.slipring.kit.steps;

import static org.assertj.core.api.Assertions.assertThat;

import dev.slipring.Message;
import dev.slipring.RingFull;
import dev.slipring.engine.Slot;
import dev.slipring.engine.SlotCodec;

import java.util.ArrayList;
import java.util.List;

/** Pushes of one slot or several, by a store or in a caller's transaction. */
final class PushSteps {

    private static final long PRODUCER = 7;

    private static final int LARGE = 7;

    private final Scene scene;
    private int pushes;

    /** How many messages a slot has at most: slots are small for a while, then large again. */
    private int most = LARGE;

    PushSteps(Scene scene) {
        this.scene = scene;
    }

    /** Pushes, and repeats that as a producer does that did not get the answer. */
    void push() {
        push(scene.random.nextInt(scene.oracle.heads.length), scene.oracle.heads.length);
    }

    /** The same with a single slot, in this lane. */
    void push(int lane) {
        push(lane, lane + 1);
    }

    private void push(int from, int lanes) {
        List<Slot> slots = new ArrayList<>();
        List<List<String>> bodies = new ArrayList<>();
        pushes++;
        if (scene.random.nextInt(6) == 0) {
            most = scene.random.nextBoolean() ? 1 : LARGE;
        }
        int count = 0;
        for (int lane = from; lane < lanes; lane += 1 + scene.random.nextInt(2)) {
            List<String> texts = new ArrayList<>();
            for (int i = scene.random.nextInt(most); i >= 0; i--) {
                texts.add(pushes + "." + count++);
            }
            bodies.add(texts);
            slots.add(
                    new Slot(lane, PRODUCER, pushes, texts.size(), SlotCodec.encode(batch(texts))));
        }
        scene.log("push " + slots.stream().map(slot -> slot.lane() + ":" + slot.count()).toList());
        long held = scene.eye().survey(scene.ring, false).heldMessages();
        boolean fits = held + count <= scene.messages;
        try {
            boolean stored = push(slots);
            assertThat(fits)
                    .as("whether %s fit beside %s of %s", count, held, scene.messages)
                    .isTrue();
            if (stored) {
                if (!scene.stays) {
                    scene.store().push(scene.ring, slots);
                }
                for (int i = 0; i < slots.size(); i++) {
                    scene.oracle.pushed(slots.get(i).lane(), bodies.get(i), scene.now());
                }
            }
        } catch (RingFull full) {
            scene.log("  full");
            assertThat(fits)
                    .as("whether %s fit beside %s of %s", count, held, scene.messages)
                    .isFalse();
        }
    }

    private List<Message> batch(List<String> texts) {
        return texts.stream()
                .map(
                        text ->
                                scene.random.nextBoolean()
                                        ? Message.of(text)
                                        : Message.of(text).key("k").header("h", text))
                .toList();
    }

    /** Returns whether what was pushed is not taken back. */
    private boolean push(List<Slot> slots) {
        if (!scene.joins()) {
            scene.store().push(scene.ring, slots);
            return true;
        }
        boolean commits = scene.random.nextInt(3) > 0;
        scene.log("  in a transaction, commits " + commits);
        scene.joined(
                commits,
                joined -> {
                    joined.push(scene.ring, slots);
                    return null;
                });
        return commits;
    }
}
