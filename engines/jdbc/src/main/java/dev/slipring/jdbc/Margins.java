// SPDX-License-Identifier: Apache-2.0
package dev.slipring.jdbc;

import dev.slipring.engine.Slot;
import dev.slipring.graph.RingSpec;

import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.ToLongFunction;

/**
 * Whether a push may rely on what it sees of the other lanes, or has to lock all of them.
 *
 * <p>Pushes that are under way in other lanes are not seen. As long as there is room for one more
 * such push in every other lane, each at most a share of the ring, the ring cannot overflow, so the
 * push locks its own lane only. A ring with less room than that is pushed to by one at a time. A
 * caller's transaction may push often before the others see any of it: that counts as one push.
 */
final class Margins {

    private static final int SHARE = 4;

    private final Set<Long> tight = ConcurrentHashMap.newKeySet();

    /** Whether a ring was short of room when it was last pushed to. */
    boolean isTight(long ring) {
        return tight.contains(ring);
    }

    /** Whether there is room for a push beside those that cannot be seen; remembers the answer. */
    boolean hasMargin(long ring, RingSpec spec, Collection<LaneState> lanes, List<Slot> slots) {
        long messages = slots.stream().mapToLong(Slot::count).sum();
        long bytes = slots.stream().mapToLong(slot -> slot.body().length).sum();
        long held = lanes.stream().mapToLong(LaneState::held).sum();
        long heldBytes = lanes.stream().mapToLong(LaneState::heldBytes).sum();
        long open = most(lanes, LaneState::uncommitted);
        long openBytes = most(lanes, LaneState::uncommittedBytes);
        boolean margin =
                fits(spec.messages(), held, messages, open, spec.lanes())
                        && fits(spec.bytes(), heldBytes, bytes, openBytes, spec.lanes());
        learn(ring, !margin);
        return margin;
    }

    /** Remembers whether a ring is short of room. */
    void learn(long ring, boolean isTight) {
        if (isTight) {
            tight.add(ring);
        } else {
            tight.remove(ring);
        }
    }

    private static long most(Collection<LaneState> lanes, ToLongFunction<LaneState> what) {
        return lanes.stream().mapToLong(what).max().orElse(0);
    }

    private static boolean fits(long capacity, long held, long wanted, long open, int lanes) {
        if (lanes == 1) {
            return true;
        }
        long share = capacity / (SHARE * (long) lanes);
        return open + wanted <= share && held + wanted + (lanes - 1) * share <= capacity;
    }
}
