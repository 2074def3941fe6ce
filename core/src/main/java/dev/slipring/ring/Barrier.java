// SPDX-License-Identifier: Apache-2.0
package dev.slipring.ring;

import java.util.ArrayList;
import java.util.List;

/**
 * What a sequence can follow: another {@link Sequence}, or several in a {@link FanOut}. A graph is
 * wired by one thread before it runs; while it runs stages come and go by {@link FanOut#and},
 * {@link FanOut#remove}, {@link Sequence#join} and {@link Sequence#leave}.
 */
public abstract sealed class Barrier permits FanOut, CacheLines.Before {

    /** Held by whoever changes the shape of a graph, or reads the whole of it. */
    static final Object WIRING = new Object();

    private volatile Barrier upstream;
    private final List<Barrier> followers = new ArrayList<>(1);

    Barrier() {}

    /**
     * Has another follow this one: it sees an index when this is done with it. A graph is a circle:
     * it ends with the producer that it begins with.
     *
     * @return {@code next}, to go on from
     * @throws IllegalStateException if {@code next} has its place in a graph already
     */
    public final <B extends Barrier> B then(B next) {
        synchronized (WIRING) {
            if (next.upstream() == null) {
                Joining.comeBack(next);
            }
            next.follow(this);
        }
        return next;
    }

    /** The last index that this was done with, or claimed; -1 if none. Of several, the least. */
    public abstract long current();

    /** How far this is done without a gap: the last index that is done with all before it. */
    abstract long availableIndex();

    /** One of the sequences that keep this from being done with an index; null if none does. */
    abstract Sequence lagging(long index);

    final Barrier upstream() {
        return upstream;
    }

    final List<Barrier> followers() {
        return followers;
    }

    /** Takes its place behind another. */
    void follow(Barrier barrier) {
        if (upstream != null) {
            throw new IllegalStateException(
                    this
                            + " follows "
                            + upstream
                            + " already and cannot follow "
                            + barrier
                            + " too"
                            + ": a sequence stands in one place; to follow several, put them into"
                            + " a FanOut");
        }
        upstream = barrier;
        barrier.followers.add(this);
    }

    /** Follows nothing any more. */
    void unfollow() {
        upstream.followers.remove(this);
        upstream = null;
    }

    /** Follows another in place of one that goes; a producer may have other gates by now. */
    final void followInstead(Barrier gone, Barrier barrier) {
        gone.followers.remove(this);
        barrier.followers.add(this);
        if (upstream == gone) {
            upstream = barrier;
        }
    }

    /** Waits for another gate; for stages that join between the last one and the producer. */
    final void exchangeUpstream(Barrier barrier) {
        upstream = barrier;
    }

    /** The first of the chain that this is the last of: what follows nothing yet. */
    final Barrier root() {
        Barrier root = this;
        while (root.upstream != null) {
            root = root.upstream;
            if (root == this || root instanceof Sequence s && s.isProducer()) {
                throw new IllegalStateException(this + " has its place in a graph already");
            }
        }
        return root;
    }
}
