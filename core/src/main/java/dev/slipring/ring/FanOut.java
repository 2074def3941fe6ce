// SPDX-License-Identifier: Apache-2.0
package dev.slipring.ring;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.stream.Collectors;

/**
 * Sequences side by side, or chains of them, of a ring between threads (for the stages of a graph
 * see {@link dev.slipring.graph.FanOut}). Each sees every index, and what follows sees an index
 * when all are done with it. Empty, it lets everything through; as the last of a circle that means
 * a ring that is never full. Arms may come and go while the graph runs.
 */
public final class FanOut extends Barrier {

    private volatile Barrier[] arms = {};

    /** Nothing yet: a place for sequences to come. */
    public FanOut() {}

    private FanOut(List<? extends Barrier> ends) {
        arms = ends.toArray(Barrier[]::new);
    }

    /** Several that each have their place already, to wait for all of them: it follows nothing. */
    static FanOut joint(List<? extends Barrier> ends) {
        return new FanOut(ends);
    }

    /** Where to go on upwards: what this follows, or, if this is a joint, one of its arms. */
    Barrier above() {
        Barrier[] all = arms;
        return upstream() == null && all.length > 0 ? all[0] : upstream();
    }

    /** A fan-out with one arm. */
    public static FanOut to(Barrier arm) {
        return new FanOut().and(arm);
    }

    /**
     * Adds an arm: a sequence, a FanOut, or the last of a chain. In a graph that runs it begins
     * with the next index; it may be used when this returns.
     *
     * @return this
     * @throws IllegalStateException if the arm has its place in a graph already
     */
    public FanOut and(Barrier arm) {
        synchronized (WIRING) {
            Objects.requireNonNull(arm, "arm");
            if (List.of(arms).contains(arm)) {
                throw new IllegalStateException(arm + " is in this FanOut already");
            }
            Barrier root = arm.root();
            if (root == this || Chain.of(arm, null).members().contains(this)) {
                throw new IllegalStateException(
                        arm + " follows this FanOut, or has it as an arm: it cannot be in it");
            }
            if (upstream() == null) {
                Joining.comeBack(arm);
                arms = with(arm);
            } else {
                Joining.enter(root, upstream(), arm, () -> arms = with(arm));
            }
        }
        return this;
    }

    /** Adds an arm, see {@link #and}, and returns it. */
    public <B extends Barrier> B addAndGet(B arm) {
        and(arm);
        return arm;
    }

    /**
     * Takes an arm out: its sequences are {@link Sequence#CLOSED}, and nobody waits for them any
     * more. What its threads have in hand may be overwritten, so each should be between {@code
     * done} and {@code next}.
     *
     * @throws IllegalStateException if it is not here
     */
    public void remove(Barrier arm) {
        synchronized (WIRING) {
            Objects.requireNonNull(arm, "arm");
            if (!List.of(arms).contains(arm)) {
                throw new IllegalStateException(arm + " is not in this FanOut");
            }
            if (upstream() == null) {
                arms = without(arm);
            } else {
                Leaving.exit(arm, upstream(), () -> arms = without(arm));
            }
        }
    }

    /** An arm's last stage goes: the one before it takes its place, if the arm has more. */
    void skip(Barrier gone, Barrier before) {
        if (List.of(arms).contains(gone)) {
            arms =
                    before == upstream()
                            ? without(gone)
                            : Arrays.stream(arms)
                                    .map(arm -> arm == gone ? before : arm)
                                    .toArray(Barrier[]::new);
        }
    }

    private Barrier[] with(Barrier arm) {
        Barrier[] more = Arrays.copyOf(arms, arms.length + 1);
        more[arms.length] = arm;
        return more;
    }

    private Barrier[] without(Barrier arm) {
        List<Barrier> left = new ArrayList<>(List.of(arms));
        left.remove(arm);
        return left.toArray(Barrier[]::new);
    }

    List<Barrier> arms() {
        return List.of(arms);
    }

    @Override
    void follow(Barrier barrier) {
        super.follow(barrier);
        for (Barrier arm : arms) {
            arm.root().follow(barrier);
        }
    }

    @Override
    void unfollow() {
        for (Barrier arm : arms) {
            Chain.root(arm, upstream()).unfollow();
        }
        super.unfollow();
    }

    @Override
    public long current() {
        long least = Long.MAX_VALUE;
        for (Barrier arm : arms) {
            least = Math.min(least, arm.current());
        }
        Barrier upstream = upstream();
        if (least != Long.MAX_VALUE) {
            return least;
        }
        return upstream == null ? Sequence.NONE : upstream.current();
    }

    @Override
    long availableIndex() {
        Barrier[] all = arms;
        if (all.length == 0) {
            Barrier upstream = upstream();
            // It is leaving, and a thread that looks again does not come here any more.
            return upstream == null ? Long.MAX_VALUE >> 1 : upstream.availableIndex();
        }
        long least = Long.MAX_VALUE;
        for (Barrier arm : all) {
            least = Math.min(least, arm.availableIndex());
        }
        return least;
    }

    @Override
    Sequence lagging(long index) {
        Barrier[] all = arms;
        if (all.length == 0) {
            Barrier upstream = upstream();
            return upstream == null ? null : upstream.lagging(index);
        }
        for (Barrier arm : all) {
            Sequence slow = arm.lagging(index);
            if (slow != null) {
                return slow;
            }
        }
        return null;
    }

    @Override
    public String toString() {
        return Arrays.stream(arms)
                .map(Barrier::toString)
                .collect(Collectors.joining(", ", "FanOut (", ")"));
    }
}
