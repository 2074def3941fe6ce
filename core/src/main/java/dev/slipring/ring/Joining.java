// SPDX-License-Identifier: Apache-2.0
package dev.slipring.ring;

import java.lang.invoke.VarHandle;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * How chains come into graphs that run, and go. A chain stands where the one that it follows is;
 * then it becomes a gate; then it stands where that one is by now. Before the producer knew of the
 * new gate it may have gone on as far as the old ones allowed when it looked, and the chain's
 * second place is behind that.
 */
final class Joining {

    private Joining() {}

    /** Puts a chain behind a barrier and has its end waited for. */
    static void enter(Barrier root, Barrier after, Barrier end, Runnable waitForIt) {
        Circuit circuit = Circuit.around(after);
        Set<Sequence> chain = new LinkedHashSet<>();
        collect(end, null, chain);
        if (circuit == null) {
            root.follow(after);
            waitForIt.run();
            return;
        }
        chain.forEach(circuit::checkCapacity);
        root.follow(after);
        // What is done, not what is claimed: who still writes a slot must be in front of the gate.
        long index = after.availableIndex();
        chain.forEach(sequence -> sequence.position(index));
        chain.forEach(sequence -> sequence.enter(circuit));
        waitForIt.run();
        VarHandle.fullFence();
        long now = after.availableIndex();
        chain.forEach(sequence -> sequence.position(now));
    }

    /** Takes a chain out. */
    static void exit(Barrier end, Barrier after, Runnable forgetIt) {
        Circuit circuit = Circuit.around(after);
        Set<Sequence> chain = new LinkedHashSet<>();
        collect(end, after, chain);
        if (circuit != null) {
            chain.forEach(sequence -> shut(sequence, circuit));
        }
        forgetIt.run();
        root(end, after).unfollow();
        if (circuit != null) {
            chain.forEach(sequence -> sequence.bell.ringAll());
            circuit.ringAll();
        }
    }

    /** Has a sequence be closed, while others still wait for it. */
    static void shut(Sequence sequence, Circuit circuit) {
        sequence.enter(Circuit.LEFT);
        Sequence.LIMIT.setVolatile(sequence, Sequence.NONE);
        circuit.ringAll();
    }

    static void join(Sequence producer, Barrier after, Barrier end) {
        synchronized (Barrier.WIRING) {
            Circuit circuit = producer.circuit();
            if (!producer.isProducer() || Circuit.around(after) != circuit) {
                throw new IllegalStateException(
                        after + " has no place in the graph of " + producer);
            }
            Barrier gate = producer.upstream();
            circuit.joined().put(end, after);
            enter(
                    end.root(),
                    after,
                    end,
                    () -> producer.exchangeUpstream(FanOut.joint(List.of(gate, end))));
        }
    }

    static void leave(Sequence producer, Barrier end) {
        synchronized (Barrier.WIRING) {
            Barrier after = producer.circuit().joined().remove(end);
            if (after == null) {
                throw new IllegalStateException(end + " did not join the graph of " + producer);
            }
            Barrier gate = without(producer.upstream(), end);
            exit(end, after, () -> producer.exchangeUpstream(gate));
        }
    }

    /** The gates but one: each join has made a FanOut of what there was and what came. */
    private static Barrier without(Barrier gates, Barrier end) {
        List<Barrier> arms = ((FanOut) gates).arms();
        return arms.get(1) == end
                ? arms.get(0)
                : FanOut.joint(List.of(without(arms.get(0), end), arms.get(1)));
    }

    /** The first of a chain that follows a barrier. */
    static Barrier root(Barrier end, Barrier after) {
        Barrier root = end;
        while (root.upstream() != after) {
            root = root.upstream();
        }
        return root;
    }

    /** The sequences from a barrier upwards to another, without that; to the top if it is null. */
    private static void collect(Barrier end, Barrier after, Set<Sequence> into) {
        for (Barrier at = end; at != after && at != null; at = at.upstream()) {
            if (at instanceof Sequence sequence) {
                into.add(sequence);
            } else if (at instanceof FanOut fanOut) {
                fanOut.arms().forEach(arm -> collect(arm, fanOut.upstream(), into));
            }
        }
    }
}
