// SPDX-License-Identifier: Apache-2.0
package dev.slipring.ring;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.Set;

/** Whether a graph is a circle with one producer in which every sequence is waited for. */
final class Inspection {

    private final Sequence producer;
    private final Set<Barrier> waitedFor = new LinkedHashSet<>();

    /** Inspects the graph around a sequence; refuses it with words if it is wrong. */
    Inspection(Sequence any) {
        producer = findProducer(any);
        if (producer.upstream() == null) {
            throw new IllegalStateException(
                    "the graph of "
                            + producer
                            + " does not come back to it, so it would overwrite slots that are"
                            + " still read: end the chain with .then(producer)");
        }
        visit(producer.upstream(), new HashSet<>());
        if (!waitedFor.contains(producer)) {
            throw new IllegalStateException(
                    producer + " waits for " + producer.upstream() + ", which do not follow it");
        }
        if (waitedFor.size() == 1) {
            throw new IllegalStateException(
                    producer + " follows only itself: nobody reads the ring");
        }
        checkFollowers();
    }

    Sequence producer() {
        return producer;
    }

    Set<Sequence> members() {
        Set<Sequence> members = new LinkedHashSet<>();
        for (Barrier barrier : waitedFor) {
            if (barrier instanceof Sequence sequence) {
                members.add(sequence);
            }
        }
        return members;
    }

    private static Sequence findProducer(Sequence any) {
        Set<Barrier> passed = new LinkedHashSet<>();
        Barrier at = any;
        while (!(at instanceof Sequence sequence && sequence.isProducer())) {
            if (!passed.add(at)) {
                throw new IllegalStateException(
                        "the chain of " + any + " runs in a circle without a producer: " + passed);
            }
            Barrier above = at instanceof FanOut fanOut ? fanOut.above() : at.upstream();
            if (above == null) {
                throw new IllegalStateException(
                        at
                                + " follows nothing: wire the graph before it is used, as in"
                                + " producer.then(consumer).then(producer)");
            }
            at = above;
        }
        return (Sequence) at;
    }

    /** Goes upwards from a gate to the producer. */
    private void visit(Barrier barrier, Set<Barrier> path) {
        if (barrier == producer) {
            waitedFor.add(producer);
            return;
        }
        if (barrier instanceof Sequence other && other.isProducer()) {
            throw new IllegalStateException(
                    barrier
                            + " produces within the graph of "
                            + producer
                            + ": a graph has one producer sequence; an MPSequence is for several"
                            + " threads");
        }
        if (!path.add(barrier)) {
            throw new IllegalStateException(
                    barrier + " follows itself: only the producer closes the circle");
        }
        if (waitedFor.add(barrier)) {
            if (barrier instanceof FanOut fanOut) {
                fanOut.arms().forEach(arm -> visit(arm, path));
            }
            if (barrier.upstream() != null) {
                visit(barrier.upstream(), path);
            } else if (!(barrier instanceof FanOut fanOut) || fanOut.above() == null) {
                throw new IllegalStateException(barrier + " follows nothing");
            }
        }
        path.remove(barrier);
    }

    private void checkFollowers() {
        for (Barrier barrier : waitedFor) {
            for (Barrier follower : barrier.followers()) {
                if (follower != producer && !waitedFor.contains(follower)) {
                    throw new IllegalStateException(
                            follower
                                    + " follows "
                                    + barrier
                                    + ", but "
                                    + producer
                                    + " would not wait for it: put what goes side by side into a"
                                    + " FanOut, and end the chain with .then(producer)");
                }
            }
        }
    }

    /** All of a kind in a running graph. */
    static <B extends Barrier> Set<B> all(Sequence producer, Class<B> kind) {
        Set<Barrier> seen = new HashSet<>();
        Set<B> all = new LinkedHashSet<>();
        Deque<Barrier> open = new ArrayDeque<>();
        open.add(producer);
        while (!open.isEmpty()) {
            Barrier at = open.pop();
            if (seen.add(at)) {
                if (kind.isInstance(at)) {
                    all.add(kind.cast(at));
                }
                if (at instanceof FanOut fanOut) {
                    fanOut.arms().forEach(open::push);
                }
                if (at.upstream() != null) {
                    open.push(at.upstream());
                }
            }
        }
        return all;
    }
}
