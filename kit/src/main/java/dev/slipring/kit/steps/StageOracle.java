// SPDX-License-Identifier: Apache-2.0
package dev.slipring.kit.steps;

import dev.slipring.graph.Mode;
import dev.slipring.graph.StageSpec;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** What a stage has seen, by the oracle's own account: a state for each message. */
final class StageOracle {

    /** The state of a message in the stage; a message without one is new. */
    enum State {
        /** In the hand of a claim, which may have run out. */
        IN_HAND,
        /** Done in this generation. */
        DONE,
        /** Done before a rewind that may bring it back. */
        MAYBE_AGAIN,
        /** It failed and waits for its retry. */
        ASIDE,
        /** It failed too often. */
        DEAD
    }

    /**
     * Names a message.
     *
     * @param lane its lane
     * @param position its position
     */
    record Id(int lane, long position) {}

    StageSpec spec;
    boolean paused;

    /** How often a message was handed out for a second or later attempt. */
    long redelivered;

    /** How many failures were said. */
    long failed;

    /** Whether what waits may be dead by now, as the tries were changed. */
    boolean mayBeDead;

    final long[] firstStart;
    final long[] start;
    final Map<Id, State> states = new HashMap<>();
    final Map<Id, ClaimOracle> hands = new HashMap<>();
    final Map<Id, Long> due = new HashMap<>();
    final Set<Id> seen = new HashSet<>();
    final Set<Id> everDone = new HashSet<>();
    final Set<Id> excluded = new HashSet<>();
    final Set<Id> optional = new HashSet<>();
    final List<ClaimOracle> claims = new ArrayList<>();

    StageOracle(StageSpec spec, long[] start) {
        this.spec = spec;
        this.firstStart = start.clone();
        this.start = start.clone();
    }

    String name() {
        return spec.name();
    }

    /** Whether the stage has to see a message at all. */
    boolean mustSee(Id id) {
        return id.position() >= start[id.lane()]
                && !excluded.contains(id)
                && !optional.contains(id);
    }

    /** Whether, as far as this stage is concerned, the stages that follow may see a message. */
    boolean isPast(Id id) {
        return everDone.contains(id) || id.position() < firstStart[id.lane()];
    }

    void done(Id id) {
        put(id, State.DONE);
        everDone.add(id);
    }

    void put(Id id, State state) {
        hands.remove(id);
        due.remove(id);
        if (state == null) {
            states.remove(id);
        } else {
            states.put(id, state);
        }
    }

    /** Notes what waits to be handed out again, and from when on. */
    void waits(Id id, State state, long from) {
        put(id, state);
        due.put(id, from);
    }

    void inHand(Id id, ClaimOracle claim) {
        ClaimOracle before = hands.get(id);
        if (before != null) {
            before.left.remove(id.position());
        }
        put(id, State.IN_HAND);
        hands.put(id, claim);
        seen.add(id);
    }

    /** Some message that a pool stage surely has to hand out again now; null if there is none. */
    Id overdue(long now) {
        if (paused || mayBeDead || spec.mode() == Mode.ORDERED) {
            return null;
        }
        for (Map.Entry<Id, Long> waiting : due.entrySet()) {
            if (waiting.getValue() <= now) {
                return waiting.getKey();
            }
        }
        for (Map.Entry<Id, ClaimOracle> hand : hands.entrySet()) {
            ClaimOracle claim = hand.getValue();
            if (!claim.fenced && claim.expires <= now && !claim.isDying(hand.getKey())) {
                return hand.getKey();
            }
        }
        return null;
    }

    /** Forgets everything before these positions. */
    void purge(long[] heads) {
        System.arraycopy(heads, 0, start, 0, heads.length);
        System.arraycopy(heads, 0, firstStart, 0, heads.length);
        claims.forEach(claim -> claim.fenced = true);
        claims.clear();
        states.clear();
        hands.clear();
        due.clear();
        seen.clear();
        everDone.clear();
        excluded.clear();
        optional.clear();
    }

    /** How many messages the stage surely keeps set aside or dead. */
    long kept() {
        return states.values().stream().filter(s -> s == State.ASIDE || s == State.DEAD).count();
    }

    /** Begins a new generation from a position of a lane on. */
    void rewind(int lane, long position, long now) {
        start[lane] = Math.min(start[lane], position);
        // A message that was dropped after the stage had been past it may come again: that depends
        // on how far the stages below were.
        for (Id id : Set.copyOf(excluded)) {
            if (id.lane() == lane && isPast(id)) {
                excluded.remove(id);
                optional.add(id);
            }
        }
        for (Map.Entry<Id, State> entry : Map.copyOf(states).entrySet()) {
            Id id = entry.getKey();
            if (id.lane() == lane && entry.getValue() == State.DONE) {
                put(id, id.position() < position ? State.MAYBE_AGAIN : null);
            } else if (id.lane() == lane && entry.getValue() == State.IN_HAND) {
                ClaimOracle hand = hands.get(id);
                // At its last attempt it may have become dead already, which shows only later.
                State kept = hand.isDying(id) ? State.DEAD : State.ASIDE;
                if (hand.ticket.retry() && kept == State.ASIDE) {
                    waits(id, kept, now);
                } else {
                    put(id, hand.ticket.retry() ? kept : null);
                }
            }
        }
        // What went back is new again.
        due.keySet().removeIf(id -> id.lane() == lane && !states.containsKey(id));
    }
}
