// SPDX-License-Identifier: Apache-2.0
package dev.slipring.torture.plan;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;

/**
 * The faults of a run, in the order of their time. They depend on nothing but the seed, the length
 * and the place.
 */
public final class Plan {

    private static final int BETWEEN_MILLIS = 1_400;
    private static final int SOAK_BETWEEN_MILLIS = 5_000;
    private static final int LONGEST_MILLIS = 2_600;

    /** The kinds that end processes or connections. */
    private static final Set<Kind> ENDS =
            Set.of(
                    Kind.KILL_WORKER,
                    Kind.KILL_PRODUCER,
                    Kind.KILL_ALL,
                    Kind.KILL_SERVER,
                    Kind.CUT_WIRE,
                    Kind.LOSE_ANSWERS,
                    Kind.FILL_DISK);

    /** The kinds that only some places can take, and how frequent they are there. */
    private static final Map<Kind, Integer> SPECIAL =
            Map.of(
                    Kind.KILL_SERVER, 9,
                    Kind.FILL_DISK, 40,
                    Kind.CUT_WIRE, 4,
                    Kind.LOSE_ANSWERS, 4,
                    Kind.STALL_WIRE, 3,
                    Kind.NEXT_SEGMENT, 24,
                    Kind.HOLD_SEGMENT, 8);

    private Plan() {}

    /**
     * The plan.
     *
     * @param special those kinds that this place can take, although not every place can
     * @param soak whether no process is to be killed or cut off, so that all grow old
     */
    public static List<Fault> of(long seed, Duration time, Set<Kind> special, boolean soak) {
        Random random = new Random(seed);
        List<Kind> urn = new ArrayList<>();
        for (Kind kind : Kind.values()) {
            int weight = special.contains(kind) ? SPECIAL.get(kind) : kind.weight();
            weight = soak && ENDS.contains(kind) ? 0 : weight;
            for (int i = 0; i < weight; i++) {
                urn.add(kind);
            }
        }
        List<Fault> faults = new ArrayList<>();
        long at = BETWEEN_MILLIS;
        while (at < time.toMillis()) {
            Kind kind = urn.get(random.nextInt(urn.size()));
            long length = 100 + random.nextInt(LONGEST_MILLIS);
            faults.add(new Fault(at, kind, random.nextInt(1_000), length));
            int between = soak ? SOAK_BETWEEN_MILLIS : BETWEEN_MILLIS;
            at += 200 + random.nextInt(2 * (between - 200));
        }
        return faults;
    }
}
