// SPDX-License-Identifier: Apache-2.0
package dev.slipring.ring;

import java.util.List;
import java.util.Set;

/**
 * How stages and chains leave graphs that run. What followed one then follows what that followed,
 * which is as far or further, so nobody has to go back.
 */
final class Leaving {

    private Leaving() {}

    /** Takes a chain out of the graph of a producer: one that joined, or a stage of its own. */
    static void leave(Sequence producer, Barrier end) {
        synchronized (Barrier.WIRING) {
            check(producer, end);
            Circuit circuit = producer.circuit();
            Barrier after = circuit.joined().remove(end);
            if (after == null) {
                Barrier place = end.upstream();
                exit(end, place, () -> circuit.fanOuts().forEach(each -> each.skip(end, place)));
            } else {
                Barrier gate = without(producer.upstream(), end);
                exit(end, after, () -> producer.exchangeUpstream(gate));
            }
        }
    }

    /** Closes a stage that is about to leave, when its threads are done with what they have. */
    static void announce(Sequence producer, Sequence stage) {
        synchronized (Barrier.WIRING) {
            check(producer, stage);
            shut(stage, producer.circuit());
        }
    }

    /** Refuses with words what cannot leave. */
    private static void check(Sequence producer, Barrier end) {
        Circuit circuit = producer.circuit();
        Barrier after = circuit.joined().get(end);
        Set<Sequence> all = Inspection.all(producer, Sequence.class);
        if (after == null && (end == producer || !all.contains(end))) {
            throw new IllegalStateException(
                    end + " has no place in the graph of " + producer + " that it could leave");
        }
        Barrier before = after == null ? end.upstream() : after;
        all.removeAll(Chain.of(end, before).sequences());
        all.remove(producer);
        // A FanOut is a place for others to come, and lets everything through meanwhile.
        boolean openPlace =
                circuit.fanOuts().stream().anyMatch(fanOut -> fanOut.upstream() != null);
        if (!openPlace && all.stream().noneMatch(other -> other.circuitIfAny() == circuit)) {
            throw new IllegalStateException(
                    end + " is the only stage: without it nobody would read the ring");
        }
    }

    /** Takes a chain out from behind a barrier. */
    static void exit(Barrier end, Barrier after, Runnable forgetIt) {
        Circuit circuit = Circuit.around(after);
        Chain chain = Chain.of(end, after);
        if (circuit != null) {
            chain.sequences().forEach(sequence -> shut(sequence, circuit));
            handOver(chain, after, circuit);
        } else {
            // Nobody has used it yet, and whoever comes to is to be told.
            chain.sequences().forEach(sequence -> sequence.enter(Circuit.LEFT));
        }
        forgetIt.run();
        if (circuit != null) {
            // A thread that saw the chain before, and finds it without a place, looks again.
            circuit.hasChanged();
        }
        Chain.root(end, after).unfollow();
        if (circuit != null) {
            chain.sequences().forEach(sequence -> sequence.bell.ringAll());
            circuit.ringAll();
        }
    }

    /** Has a sequence be closed, while others still wait for it. */
    static void shut(Sequence sequence, Circuit circuit) {
        sequence.enter(Circuit.LEFT);
        Sequence.LIMIT.setVolatile(sequence, Sequence.CLOSED);
        circuit.ringAll();
    }

    /** Has those outside of a chain that follow some of it follow what the chain followed. */
    private static void handOver(Chain chain, Barrier after, Circuit circuit) {
        for (Barrier member : chain.members()) {
            for (Barrier follower : List.copyOf(member.followers())) {
                if (!chain.members().contains(follower)) {
                    follower.followInstead(member, after);
                }
            }
            circuit.joined().replaceAll((end, behind) -> behind == member ? after : behind);
        }
    }

    /** The gates but one: each join has made a FanOut of what there was and what came. */
    private static Barrier without(Barrier gates, Barrier end) {
        List<Barrier> arms = ((FanOut) gates).arms();
        return arms.get(1) == end
                ? arms.get(0)
                : FanOut.joint(List.of(without(arms.get(0), end), arms.get(1)));
    }
}
