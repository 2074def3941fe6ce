// SPDX-License-Identifier: Apache-2.0
package dev.slipring.kit.steps;

import static org.assertj.core.api.Assertions.assertThat;

import dev.slipring.Delivery;
import dev.slipring.Survey;
import dev.slipring.engine.Claimed;
import dev.slipring.graph.Mode;
import dev.slipring.graph.RingSpec;
import dev.slipring.graph.StageSpec;
import dev.slipring.graph.Stages;
import dev.slipring.kit.steps.StageOracle.Id;
import dev.slipring.kit.steps.StageOracle.State;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** A ring as it should be: a plain account of every message in every stage, without sequences. */
final class RingOracle {

    /**
     * Messages that were pushed together.
     *
     * @param lane their lane
     * @param first the first one's position
     * @param end the position behind the last
     * @param pushedAt the time of the push
     */
    record Pushed(int lane, long first, long end, long pushedAt) {}

    final Map<String, StageOracle> stages = new LinkedHashMap<>();
    final Map<Id, String> texts = new LinkedHashMap<>();
    final List<Pushed> held = new ArrayList<>();
    final long[] heads;
    Stages graph;

    RingOracle(RingSpec spec) {
        heads = new long[spec.lanes()];
        graph = spec.stages();
        graph.names().forEach(name -> stages.put(name, new StageOracle(graph.get(name), heads)));
    }

    void pushed(int lane, List<String> bodies, long now) {
        for (int i = 0; i < bodies.size(); i++) {
            texts.put(new Id(lane, heads[lane] + i), bodies.get(i));
        }
        held.add(new Pushed(lane, heads[lane], heads[lane] + bodies.size(), now));
        heads[lane] += bodies.size();
    }

    /** Forgets what was released. */
    void released(Survey survey) {
        held.removeIf(slot -> slot.end() <= survey.lanes().get(slot.lane()).gate());
    }

    /** The first position of each lane that is held and was pushed at this time or later. */
    long[] since(long time) {
        long[] first = heads.clone();
        held.stream()
                .filter(slot -> slot.pushedAt() >= time)
                .forEach(slot -> first[slot.lane()] = Math.min(first[slot.lane()], slot.first()));
        return first;
    }

    void added(StageSpec spec, Stages newGraph, long[] start) {
        graph = newGraph;
        StageOracle stage = new StageOracle(spec, start);
        stages.put(spec.name(), stage);
        for (String ancestor : graph.ancestors(spec.name())) {
            StageOracle above = stages.get(ancestor);
            // As in a drop: what was done before a rewind and dropped behind it may come or not.
            above.excluded.forEach(
                    id -> (above.isPast(id) ? stage.optional : stage.excluded).add(id));
            stage.optional.addAll(above.optional);
        }
    }

    void purged() {
        texts.clear();
        held.clear();
        stages.values().forEach(stage -> stage.purge(heads));
    }

    void removed(String name) {
        graph = graph.without(name);
        stages.remove(name).claims.forEach(claim -> claim.fenced = true);
    }

    void rewound(StageOracle stage, long[] positions, long now) {
        stage.claims.forEach(claim -> claim.fenced = true);
        for (int lane = 0; lane < positions.length; lane++) {
            stage.rewind(lane, positions[lane], now);
        }
    }

    /** Notes a drop: a stage that has not seen the message must not see it any more. */
    void dropped(StageOracle stage, Id id) {
        stage.put(id, null);
        stage.excluded.add(id);
        for (StageOracle below : stages.values()) {
            if (graph.ancestors(below.name()).contains(stage.name()) && !below.seen.contains(id)) {
                // If the message was done before a rewind, it may already be on its way to the
                // stage below.
                (stage.isPast(id) ? below.optional : below.excluded).add(id);
            }
        }
    }

    /** An empty claim: nothing may be there that has to come again. */
    void nothing(StageOracle stage, long now) {
        Id overdue = stage.overdue(now);
        if (overdue != null) {
            throw new AssertionError(stage.name() + " got nothing, and " + overdue + " is due");
        }
    }

    ClaimOracle claimed(StageOracle stage, Claimed claimed, int max, long now) {
        assertThat(claimed.deliveries()).hasSizeLessThanOrEqualTo(max);
        assertThat(claimed.mode()).isEqualTo(stage.spec.mode());
        assertThat(claimed.leaseMillis()).isEqualTo(stage.spec.lease().toMillis());
        Delivery some = claimed.deliveries().get(0);
        say(!stage.paused, stage, some, "comes although the stage is paused");
        checkKept(stage, claimed);
        ClaimOracle claim = new ClaimOracle(stage, claimed, now + claimed.leaseMillis());
        long last = -1;
        for (Delivery delivery : claimed.deliveries()) {
            check(stage, delivery, now);
            if (!claimed.ticket().retry()) {
                say(delivery.position() > last, stage, delivery, "is out of order in its claim");
            }
            last = delivery.position();
        }
        if (stage.spec.mode() == Mode.ORDERED) {
            checkOrdered(stage, claimed, now);
        }
        for (Delivery delivery : claimed.deliveries()) {
            stage.inHand(new Id(delivery.lane(), delivery.position()), claim);
        }
        stage.claims.add(claim);
        stage.redelivered += claimed.deliveries().stream().filter(it -> it.attempt() > 1).count();
        return claim;
    }

    private void check(StageOracle stage, Delivery delivery, long now) {
        Id id = new Id(delivery.lane(), delivery.position());
        say(delivery.text().equals(texts.get(id)), stage, delivery, "has another text");
        say(delivery.attempt() <= stage.spec.tries(), stage, delivery, "has too many attempts");
        say(id.position() >= stage.start[id.lane()], stage, delivery, "is before its start");
        say(!stage.excluded.contains(id), stage, delivery, "was dropped");
        State state = stage.states.get(id);
        say(state != State.DONE, stage, delivery, "was done");
        ClaimOracle hand = stage.hands.get(id);
        say(hand == null || !hand.isLive(now), stage, delivery, "is in another hand");
        if (!stage.seen.contains(id)) {
            for (String above : graph.ancestors(stage.name())) {
                say(stages.get(above).isPast(id), stage, delivery, "is not done by " + above);
            }
        }
    }

    /** A pool stage that keeps as much as it may gets nothing that it has not seen. */
    private static void checkKept(StageOracle stage, Claimed claimed) {
        boolean full = stage.kept() >= stage.spec.keep();
        if (full && stage.spec.mode() == Mode.POOL && !claimed.ticket().retry()) {
            for (Delivery delivery : claimed.deliveries()) {
                Id id = new Id(delivery.lane(), delivery.position());
                say(stage.seen.contains(id), stage, delivery, "is new, and the stage is stalled");
            }
        }
    }

    private void checkOrdered(StageOracle stage, Claimed claimed, long now) {
        Delivery first = claimed.deliveries().get(0);
        for (ClaimOracle other : stage.claims) {
            boolean apart = other.ticket.lane() != first.lane() || !other.isLive(now);
            say(apart, stage, first, "is a second claim");
        }
        stage.states.forEach(
                (id, state) -> {
                    ClaimOracle hand = stage.hands.get(id);
                    boolean open = state == State.ASIDE || hand != null && !hand.isDying(id);
                    boolean earlier = id.lane() == first.lane() && id.position() < first.position();
                    say(!open || !earlier, stage, first, "comes before " + id + " " + state);
                });
    }

    private static void say(boolean holds, StageOracle stage, Delivery delivery, String what) {
        if (!holds) {
            throw new AssertionError(
                    stage.name()
                            + " got "
                            + delivery.id()
                            + " #"
                            + delivery.attempt()
                            + ": it "
                            + what);
        }
    }

    /** Checks that every message came to every stage that had to see it. */
    void checkAllDone() {
        for (StageOracle stage : stages.values()) {
            for (Id id : texts.keySet()) {
                State state = stage.states.get(id);
                boolean done = state == State.DONE || state == State.MAYBE_AGAIN;
                if (stage.mustSee(id) && !done) {
                    throw new AssertionError(stage.name() + " lost " + id + ", it is " + state);
                }
            }
        }
    }
}
