// SPDX-License-Identifier: Apache-2.0
package dev.slipring.ring;

import java.lang.invoke.VarHandle;
import java.util.List;
import java.util.Set;

/**
 * How chains come into graphs that run. A chain first stands where the sequence is that it follows.
 * Then it becomes a gate, and then it stands where that sequence is by now. Before the producer
 * knew of the new gate, it may have gone on as far as the old gates allowed when it looked; the
 * second place of the chain is beyond that. A count tells a thread that looked while the gate was
 * made, so that it looks again.
 */
final class Joining {

    private Joining() {}

    /** Puts a chain behind a barrier and has its end waited for. */
    static void enter(Barrier root, Barrier after, Barrier end, Runnable waitForIt) {
        Circuit circuit = Circuit.around(after);
        Set<Sequence> chain = Chain.of(end, null).sequences();
        if (circuit == null) {
            comeBack(end);
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
        circuit.hasChanged();
        VarHandle.fullFence();
        long now = after.availableIndex();
        chain.forEach(sequence -> sequence.position(now));
    }

    /** Has what left another graph begin with one that does not run yet. */
    static void comeBack(Barrier end) {
        for (Sequence sequence : Chain.of(end, null).sequences()) {
            if (sequence.circuitIfAny() == Circuit.LEFT) {
                if ((long) Sequence.LIMIT.getOpaque(sequence) == Sequence.CLOSED) {
                    sequence.position(-1);
                }
                sequence.enter(null);
            }
        }
    }

    static void join(Sequence producer, Barrier after, Barrier end) {
        synchronized (Barrier.WIRING) {
            Circuit circuit = producer.circuit();
            if (!producer.isProducer() || Circuit.around(after) != circuit) {
                throw new IllegalStateException(
                        after + " has no place in the graph of " + producer);
            }
            Barrier gate = producer.upstream();
            enter(
                    end.root(),
                    after,
                    end,
                    () -> producer.exchangeUpstream(FanOut.joint(List.of(gate, end))));
            circuit.joined().put(end, after);
        }
    }
}
